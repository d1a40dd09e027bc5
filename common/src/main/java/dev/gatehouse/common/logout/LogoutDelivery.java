package dev.gatehouse.common.logout;

/** Delivers a logout notice to a partner: one try, within a deadline. */
@FunctionalInterface
public interface LogoutDelivery {

  /** Delivers the notice. Blocks for some seconds at most; call on virtual threads only. */
  LogoutDeliveryResult deliver(String realm, LogoutNotice notice);
}
