package dev.gatehouse.common.page;

import dev.gatehouse.common.request.RequestId;
import java.util.random.RandomGenerator;

/** Makes the reference ids in error pages and logs. */
public final class References {

  private References() {}

  /** The id of the request that this thread works on, or a new one. */
  public static String create(RandomGenerator random) {
    return RequestId.current().orElseGet(() -> RequestId.create(random));
  }
}
