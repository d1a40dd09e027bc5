package dev.gatehouse.gateway.message;

import dev.gatehouse.common.node.NodeLimits;

/**
 * The limits of a head's size.
 *
 * @param head bytes of line and fields together
 * @param target bytes of a request's target
 * @param fields number of fields
 */
public record HeadLimits(int head, int target, int fields) {
  /** The limits of a node's configuration. */
  public static HeadLimits of(NodeLimits.Messages messages) {
    return new HeadLimits(messages.head(), messages.target(), messages.fields());
  }

  /** 32 KB, 8 KB, 128 fields. */
  public static HeadLimits standard() {
    return new HeadLimits(32 * 1024, 8 * 1024, 128);
  }
}
