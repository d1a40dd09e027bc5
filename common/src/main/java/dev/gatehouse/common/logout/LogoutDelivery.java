package dev.gatehouse.common.logout;

/** Tells a partner once, within a deadline. */
@FunctionalInterface
public interface LogoutDelivery {

  /** Blocks, for some seconds at most; call on virtual threads only. */
  LogoutDeliveryResult deliver(String realm, LogoutNotice notice);
}
