package dev.gatehouse.common.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many connections the listeners beside the gateway's take at the same time, as far as the process has file descriptors:
 * a flood at one of them must not take those of the others, of stores and of logs.
 *
 * @param idp at all of the identity provider's listeners
 * @param admin at the administration's
 */
public record ListenerConnections(int idp, int admin) {

  private static final int MOST_IDP = 20_000;
  private static final int MOST_ADMIN = 256;

  /** Those of this process. */
  public static ListenerConnections ofThisProcess() {
    return of(descriptors());
  }

  public static ListenerConnections of(long descriptors) {
    return new ListenerConnections(
        (int) Math.clamp(descriptors / 5, 16, MOST_IDP), (int) Math.clamp(descriptors / 32, 8, MOST_ADMIN));
  }

  /** What connections of the gateway may have: without those of the other listeners and without what is open already. */
  public static long left() {
    long descriptors = descriptors();
    ListenerConnections others = of(descriptors);
    long open =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? Math.max(0, unix.getOpenFileDescriptorCount())
            : 0;
    return Math.max(64, descriptors - others.idp - others.admin - open);
  }

  /** File descriptors that the process may have; {@link Long#MAX_VALUE} where that is not known. */
  public static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
