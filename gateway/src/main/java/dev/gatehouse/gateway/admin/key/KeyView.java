package dev.gatehouse.gateway.admin.key;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.KeyFolder;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A key of a realm for administrators, without its private half. */
@Schema(name = "Key")
public record KeyView(
    KeyUse use,
    @Schema(
            description = "current: signs, or is what partners encrypt to. next: published, does not sign yet. previous: still verifies or"
                + " decrypts. retired: still decrypts, is not published. configured: from the realm's configuration",
            allowableValues = {"current", "next", "previous", "retired", "configured"})
        String state,
    @Schema(description = "Its id; of keys for tokens, the kid") String id,
    String algorithm,
    @Schema(description = "The X.509 certificate, PEM") String certificate,
    @Schema(description = "The certificate's beginning") Instant notBefore,
    @Schema(description = "The certificate's end") Instant notAfter,
    @Schema(
            description = "Of a next key: when promote disturbs nobody, because everybody has had time to fetch it. Of a previous key: when retire"
                + " does, because nothing that it signed is valid any more. Absent: at any time")
        Optional<Instant> safeFrom,
    @Schema(description = "Of a retired key: until when it decrypts") Optional<Instant> until) {

  /** Returns the views of a ring. */
  static List<KeyView> of(KeyUse use, KeyFolder.Ring ring) {
    List<KeyView> views = new ArrayList<>();
    views.add(of(use, "current", ring.current(), Optional.empty(), Optional.empty()));
    ring.next().ifPresent(key -> views.add(of(use, "next", key, RotationStep.PROMOTE.safeFrom(use, ring), Optional.empty())));
    ring.previous().ifPresent(key -> views.add(of(use, "previous", key, RotationStep.RETIRE.safeFrom(use, ring), Optional.empty())));
    ring.retired().forEach(old -> views.add(of(use, "retired", old.key(), Optional.empty(), Optional.of(old.until()))));
    return views;
  }

  /** Returns the view of a key that the configuration names. */
  static KeyView configured(KeyUse use, SigningKey key) {
    return of(use, "configured", key, Optional.empty(), Optional.empty());
  }

  private static KeyView of(KeyUse use, String state, SigningKey key, Optional<Instant> safeFrom, Optional<Instant> until) {
    return new KeyView(
        use,
        state,
        key.id(),
        key.algorithm().name(),
        Pem.format(key.certificate()),
        key.certificate().getNotBefore().toInstant(),
        key.certificate().getNotAfter().toInstant(),
        safeFrom,
        until);
  }
}
