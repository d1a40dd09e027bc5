package dev.gatehouse.common.db;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * OAuth clients that registered at run time (RFC 7591): one entry per realm and client ID. What returned is durable. Blocks: call on
 * virtual threads only.
 */
public interface RegisteredClients {

  /**
   * A client as it registered.
   *
   * @param metadata JSON, as it was accepted
   * @param secret sealed, in base64; empty where it has none
   * @param accessDigest of its registration access token (RFC 7592, section 3)
   * @param registeredBy the name of the initial access token, or {@code loopback}
   */
  record RegisteredClient(
      String realm,
      String clientId,
      String metadata,
      Optional<String> secret,
      String accessDigest,
      String registeredBy,
      Instant registeredAt) {
    /** Neither secrets nor whatever a stranger wrote. */
    @Override
    public String toString() {
      return "RegisteredClient " + realm + " " + clientId;
    }
  }

  Optional<RegisteredClient> find(String realm, String clientId);

  /** The realm's, by ID. @param after the ID of the last one of the page before; empty for the first page */
  List<RegisteredClient> page(String realm, String after, int most);

  long count(String realm);

  /** Under an ID that is not used yet. */
  void add(RegisteredClient client);

  /** Metadata and secret of the one with that realm and ID; false where it is gone. */
  boolean change(RegisteredClient client);

  /** False where there was none. */
  boolean remove(String realm, String clientId);
}
