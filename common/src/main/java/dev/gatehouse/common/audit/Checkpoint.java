package dev.gatehouse.common.audit;

import com.nimbusds.jose.JOSEObjectType;
import dev.gatehouse.common.codec.UtcMillis;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.SignedJwts;
import dev.gatehouse.common.result.Result;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A signed statement about the audit log: at that time its last event had that number and chain. A compact JWS (RFC 7515, section 7.1)
 * with ES256.
 *
 * @param node the installation and the number of the node
 * @param text the JWS itself
 */
record Checkpoint(AuditLink link, String node, Instant time, String text, ReceivedJwt jws) {

  private static final String TYPE = "gatehouse-audit-checkpoint";

  static String sign(SigningKey key, AuditLink link, String node, Instant time) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("seq", link.seq());
    claims.put("chain", HexFormat.of().formatHex(link.chain()));
    claims.put("node", node);
    claims.put("time", UtcMillis.full(time));
    return SignedJwts.sign(key, new JOSEObjectType(TYPE), claims);
  }

  /** Reads a checkpoint without verifying its signature; empty if the text is none. */
  static Optional<Checkpoint> read(String text) {
    return switch (ReceivedJwt.read(text, ReceivedJwt.OwnKey.REFUSED)) {
      case Result.Refused<ReceivedJwt, String> refused -> Optional.empty();
      case Result.Accepted<ReceivedJwt, String>(ReceivedJwt jws) -> of(text, jws);
    };
  }

  private static Optional<Checkpoint> of(String text, ReceivedJwt jws) {
    String chain = jws.claims().text("chain").orElse("");
    if (!jws.type().equals(Optional.of(TYPE))
        || chain.length() != 2 * AuditLink.CHAIN_BYTES
        || !(jws.claims().all().get("seq") instanceof Number seq)
        || seq.longValue() < 1) {
      return Optional.empty();
    }
    try {
      AuditLink link = new AuditLink(seq.longValue(), HexFormat.of().parseHex(chain));
      Instant time = Instant.parse(jws.claims().text("time").orElse(""));
      return Optional.of(new Checkpoint(link, jws.claims().text("node").orElse("-"), time, text, jws));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
