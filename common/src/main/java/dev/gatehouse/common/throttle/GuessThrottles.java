package dev.gatehouse.common.throttle;

/** Creates throttles. With storage that several nodes share, the throttles of one name count together at all nodes. */
@FunctionalInterface
public interface GuessThrottles {

  /** Creates the throttle of that name, which counts nothing that another name counts. Each name may be requested once. */
  WindowGuessThrottle create(String name);
}
