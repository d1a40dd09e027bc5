package dev.gatehouse.common.db;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores OAuth clients that registered at run time (RFC 7591): one entry per realm and client ID. A change is durable once its
 * method has returned. Blocks: call on virtual threads only.
 */
public interface RegisteredClients {

  /**
   * A registered client.
   *
   * @param metadata JSON, as it was accepted
   * @param secret sealed, in base64; empty if it has none
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
    /** Contains neither secrets nor text that a stranger wrote. */
    @Override
    public String toString() {
      return "RegisteredClient " + realm + " " + clientId;
    }
  }

  Optional<RegisteredClient> find(String realm, String clientId);

  /**
   * Returns clients of the realm, ordered by ID.
   *
   * @param after the ID of the last client of the page before; empty for the first page
   */
  List<RegisteredClient> page(String realm, String after, int limit);

  long count(String realm);

  /** Adds the client; its ID must not be in use. */
  void add(RegisteredClient client);

  /** Changes metadata and secret of the client with that realm and ID; returns false if it does not exist any more. */
  boolean change(RegisteredClient client);

  /** Removes the client; returns false if there was none. */
  boolean remove(String realm, String clientId);
}
