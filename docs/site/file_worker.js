/* Browsers start no worker on pages that were opened as files, and search needs one. On such pages only, a hidden frame
   stands in for the worker: it runs the same script, and messages go to and fro as events. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inside = frame.contentWindow
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      inside.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => load(inside, each)), Promise.resolve())
      this.ready = load(inside, url).then(() => inside)
      this.frame = frame
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })))
    }

    terminate() {
      this.frame.remove()
    }
  }
}

function load(inside, url) {
  return new Promise((resolve, reject) => {
    const script = inside.document.createElement("script")
    script.src = url
    script.onload = resolve
    script.onerror = () => reject(new Error(`cannot load ${url}`))
    inside.document.body.appendChild(script)
  })
}
