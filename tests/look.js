/* What a page looks like: its width, pictures that are missing, and visible texts whose contrast with
   the colour behind them is below a limit, as [contrast, text, where]. */
(limit) => {
  document.head.insertAdjacentHTML("beforeend", "<style>* { transition: none !important }</style>")
  const parse = (text) => text.match(/[\d.]+/g).map(Number)
  const over = ([r, g, b, alpha = 1], ground) => [r, g, b].map((value, k) => value * alpha + ground[k] * (1 - alpha))
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => value / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  const known = new Map([[null, { ground: [255, 255, 255], opacity: 1 }]])
  const behind = (element) => {
    if (!known.has(element)) {
      const above = behind(element.parentElement)
      const style = getComputedStyle(element)
      known.set(element, { ground: over(parse(style.backgroundColor), above.ground), opacity: above.opacity * style.opacity })
    }
    return known.get(element)
  }
  const pale = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    const said = texts.currentNode.data.trim()
    if (!said || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { ground, opacity } = behind(element)
    const [r, g, b, alpha = 1] = parse(getComputedStyle(element).color)
    const two = [light(ground), light(over([r, g, b, alpha * opacity], ground))]
    const contrast = Math.max(...two) / Math.min(...two)
    if (contrast < limit) pale.push([Math.round(100 * contrast) / 100, said.slice(0, 40), `${element.tagName}.${element.className}`])
  }
  return {
    width: document.documentElement.scrollWidth,
    missing: [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
    pale,
  }
}
