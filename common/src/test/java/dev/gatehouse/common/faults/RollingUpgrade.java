package dev.gatehouse.common.faults;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Two nodes of the former build under load, of which one after the other is replaced by a node of this build, and then by one of the former
 * again, as an operator does who takes an upgrade back.
 *
 * @param there while the new build comes
 * @param back while the former one comes again
 */
public record RollingUpgrade(FaultRow there, FaultRow back) {

  /**
   * Carries both out.
   *
   * @param plan the plan of a site with that program
   * @param before how long there is load before each
   */
  public static RollingUpgrade run(Function<NodeProgram, Site.Plan> plan, NodeProgram former, NodeProgram present, Duration before)
      throws Exception {
    AtomicReference<NodeProgram> build = new AtomicReference<>(former);
    try (Site site = Site.start(plan.apply(arguments -> Objects.requireNonNull(build.get()).command(arguments)))) {
      build.set(present);
      FaultRow there = FaultRun.run(site, SharedFault.ROLLING_RESTART, before);
      build.set(former);
      return new RollingUpgrade(there, FaultRun.run(site, SharedFault.ROLLING_RESTART, before));
    }
  }
}
