//! Processor time: what this process has used, not what a clock on the wall shows.

use std::time::Duration;

/// What the present thread has used so far.
pub fn of_thread() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// What all threads of this process have used so far.
pub fn of_process() -> Duration {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value of the right type, which lives long enough.
    let result = unsafe { libc::clock_gettime(clock, &mut time) };
    if result != 0 {
        return Duration::ZERO;
    }
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_waiting_does_not() {
        let (thread, process) = (of_thread(), of_process());
        let mut sum: u64 = 0;
        while of_thread() < thread + Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(of_process() >= process + Duration::from_millis(5));
        let before = of_thread();
        std::thread::sleep(Duration::from_millis(20));
        assert!(of_thread() < before + Duration::from_millis(15));
    }
}
