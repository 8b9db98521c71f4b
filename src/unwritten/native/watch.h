// Watch: lets a long search end soon after Ctrl-C or a request to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace unwritten {

using Clock = std::chrono::steady_clock;

class Watch {
public:
    // `poll` returns true to end the search, or throws. It is called at once, and then about every 10 ms.
    explicit Watch(std::function<bool()> poll)
        : poll_(std::move(poll)), next_(Clock::now() + kInterval), stopped_(poll_()) {}

    // Count elementary steps (a few nanoseconds each); true if the search must end.
    bool must_stop(std::int64_t steps) {
        left_ -= steps;
        return left_ > 0 ? stopped_ : look();
    }
    bool stopped() const { return stopped_; }

private:
    static constexpr std::int64_t kStride = 1 << 16;
    static constexpr std::chrono::milliseconds kInterval{10};

    bool look() {
        left_ = kStride;
        const auto now = Clock::now();
        if (!stopped_ && now >= next_) {
            stopped_ = poll_();
            next_ = now + kInterval;
        }
        return stopped_;
    }

    std::function<bool()> poll_;
    Clock::time_point next_;
    std::int64_t left_ = kStride;
    bool stopped_;
};

// The end of the time for one query.
class Deadline {
public:
    explicit Deadline(double seconds) : exists_(seconds < kLongest) {
        if (exists_) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
    bool passed() const { return exists_ && Clock::now() > end_; }

private:
    static constexpr double kLongest = 1e9;  // seconds; more is no limit

    bool exists_;
    Clock::time_point end_{};
};

}  // namespace unwritten
