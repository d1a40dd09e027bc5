package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Optional;

/** Receives the answers to test logins, which open no session. */
public interface TestLoginAnswers {

  /** The beginning of the IDs of their AuthnRequests. No other request of ours has such an ID. */
  String ID_PREFIX = "_test.";

  /**
   * Takes an answer.
   *
   * @param id the ID that the answer names
   * @return empty if no such test login is waiting
   */
  Optional<EdgeReply> answer(SpRealm realm, EdgeRequest request, String id, Result<ReceivedResponse, SamlRefusal> reading);
}
