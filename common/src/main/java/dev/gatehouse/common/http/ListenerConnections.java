package dev.gatehouse.common.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The number of connections that the listeners other than the gateway's accept at the same time, derived from the file
 * descriptors of the process. A flood at one listener must not use up the descriptors of the other listeners, of stores and
 * of logs.
 *
 * @param idp for all listeners of the identity provider together
 * @param admin for the listener of the administration
 * @param metrics for the listener of health and metrics
 */
public record ListenerConnections(int idp, int admin, int metrics) {

  private static final int MAX_IDP = 20_000;
  /** A console keeps a connection for each of its people while they work: hundreds, where there is a help desk. */
  private static final int MAX_ADMIN = 2048;
  private static final int MAX_METRICS = 64;

  /** Returns the limits for the descriptors of this process. */
  public static ListenerConnections ofThisProcess() {
    return of(descriptors());
  }

  public static ListenerConnections of(long descriptors) {
    return new ListenerConnections(
        (int) Math.clamp(descriptors / 5, 16, MAX_IDP),
        (int) Math.clamp(descriptors / 20, 8, MAX_ADMIN),
        (int) Math.clamp(descriptors / 128, 4, MAX_METRICS));
  }

  /** Returns the number of descriptors left for the gateway: without the limits of the other listeners and open descriptors. */
  public static long left() {
    long descriptors = descriptors();
    ListenerConnections others = of(descriptors);
    long open =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? Math.max(0, unix.getOpenFileDescriptorCount())
            : 0;
    return Math.max(64, descriptors - others.idp - others.admin - others.metrics - open);
  }

  /** Returns how many file descriptors the process may open; {@link Long#MAX_VALUE} if that is not known. */
  public static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
