package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Optional;

/** Receives the answers of OpenID providers to test logins, which open no session. */
public interface OpenIdTestAnswers {

  /** The beginning of their {@code state}. No other request of ours has such a one. */
  String STATE_PREFIX = "_test.";

  /**
   * Takes an answer.
   *
   * @return empty if no such test login is waiting
   */
  Optional<EdgeReply> answer(SpRealm realm, EdgeRequest request, String state);
}
