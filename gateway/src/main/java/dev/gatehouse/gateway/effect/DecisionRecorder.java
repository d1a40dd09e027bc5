package dev.gatehouse.gateway.effect;

import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.sp.session.AppSession;

/** Learns each decision about a person's request. Never blocks. */
public interface DecisionRecorder {

  /** Records nothing. */
  DecisionRecorder NONE =
      new DecisionRecorder() {
        @Override
        public void person(AppSession session, int account, AddressedHost to, String route, RequestAttributes request, boolean permitted) {}

        @Override
        public void holder(TokenHolder holder, AddressedHost to, String route, RequestAttributes request, boolean permitted) {}
      };

  /**
   * Learns a decision about a person with a session.
   *
   * @param account the hash code of the session's account and authentication context
   */
  void person(AppSession session, int account, AddressedHost to, String route, RequestAttributes request, boolean permitted);

  /** Learns a decision about the holder of an access token. */
  void holder(TokenHolder holder, AddressedHost to, String route, RequestAttributes request, boolean permitted);
}
