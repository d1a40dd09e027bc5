package dev.gatehouse.idp.endpoint;

import dev.gatehouse.common.http.EdgeReply;

/**
 * Answers one address below {@code /realms/{realm}/}. The edge has already found the realm, limited the body and
 * checked the method. Blocks: called on virtual threads only.
 */
@FunctionalInterface
public interface Endpoint {
  EdgeReply handle(RealmRequest request);
}
