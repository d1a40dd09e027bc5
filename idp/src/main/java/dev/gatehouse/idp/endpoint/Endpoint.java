package dev.gatehouse.idp.endpoint;

import dev.gatehouse.common.http.EdgeReply;

/**
 * Answers one address below {@code /realms/{realm}/}. The edge has already found the realm, bounded the body and checked
 * that the method is one of the route's. Blocks: called on virtual threads only.
 */
@FunctionalInterface
public interface Endpoint {
  EdgeReply handle(RealmRequest request);
}
