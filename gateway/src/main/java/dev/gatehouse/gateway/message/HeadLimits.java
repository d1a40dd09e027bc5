package dev.gatehouse.gateway.message;

/**
 * The limits of a head's size.
 *
 * @param head bytes of line and fields together
 * @param target bytes of a request's target
 * @param fields number of fields
 */
public record HeadLimits(int head, int target, int fields) {
  /** 32 KB, 8 KB, 128 fields. */
  public static HeadLimits standard() {
    return new HeadLimits(32 * 1024, 8 * 1024, 128);
  }
}
