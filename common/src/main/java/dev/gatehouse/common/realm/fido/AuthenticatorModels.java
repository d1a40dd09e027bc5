package dev.gatehouse.common.realm.fido;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Reads models of authenticators from entries of the FIDO Metadata Service (FIDO Metadata Service v3, section 3.1.1; FIDO Metadata Statement
 * v3). A model that is known as broken is a mistake of the configuration, so that nobody trusts it by an old line.
 */
public final class AuthenticatorModels {

  /** AuthenticatorStatus (section 3.1.4) of models whose keys or verification somebody else has. */
  private static final Set<String> BROKEN =
      Set.of("REVOKED", "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE", "USER_KEY_PHYSICAL_COMPROMISE");

  /** A sentence for the error. */
  private static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;
    private final String remedy;

    Wrong(String message, String remedy) {
      super(message, null, false, false);
      this.remedy = remedy;
    }
  }

  private AuthenticatorModels() {}

  /** Reads the file that the value names. */
  public static Optional<List<AuthenticatorModel>> of(YamlValue value) {
    return value.content().flatMap(content -> read(value, content));
  }

  private static Optional<List<AuthenticatorModel>> read(YamlValue value, byte[] content) {
    try {
      Object entries = StrictJson.object(content).map(object -> object.get("entries")).orElse("none");
      if (!(entries instanceof List<?> list) || list.isEmpty()) {
        throw new Wrong("has no list \"entries\"", "write {\"entries\": [...]} with entries of the FIDO Metadata Service");
      }
      List<AuthenticatorModel> models = new ArrayList<>();
      Set<UUID> known = new HashSet<>();
      for (Object entry : list) {
        AuthenticatorModel model = model(entry);
        if (!known.add(model.aaguid())) {
          throw new Wrong("has two entries with aaguid " + model.aaguid(), "keep one");
        }
        models.add(model);
      }
      return Optional.of(models);
    } catch (Wrong e) {
      return value.wrong(value.shownPath() + " " + e.getMessage(), e.remedy);
    }
  }

  private static AuthenticatorModel model(Object entry) throws Wrong {
    Object name = entry instanceof Map<?, ?> map ? map.get("aaguid") : null;
    UUID aaguid;
    try {
      aaguid = UUID.fromString(name instanceof String text ? text : "");
    } catch (IllegalArgumentException e) {
      throw new Wrong("has an entry without aaguid", "take it out: only FIDO2 authenticators have an aaguid, and only they can be enrolled");
    }
    if (!(entry instanceof Map<?, ?> fields) || !(fields.get("metadataStatement") instanceof Map<?, ?> statement)) {
      throw new Wrong("has no metadataStatement for aaguid " + aaguid, "copy the whole entry of the FIDO Metadata Service");
    }
    if (fields.get("statusReports") instanceof List<?> reports) {
      for (Object report : reports) {
        if (report instanceof Map<?, ?> told && told.get("status") instanceof String status && BROKEN.contains(status)) {
          throw new Wrong("has a model with status " + status + ": " + aaguid, "take it out");
        }
      }
    }
    List<X509Certificate> roots = new ArrayList<>();
    if (statement.get("attestationRootCertificates") instanceof List<?> encoded) {
      for (Object one : encoded) {
        roots.add(certificate(aaguid, String.valueOf(one)));
      }
    }
    if (roots.isEmpty()) {
      throw new Wrong("has no attestationRootCertificates for aaguid " + aaguid, "take it out: nothing can prove this model");
    }
    return new AuthenticatorModel(aaguid, roots);
  }

  /** Certificates of the service are base64, with line breaks in some statements. */
  private static X509Certificate certificate(UUID aaguid, String base64) throws Wrong {
    try {
      byte[] der = Base64.getMimeDecoder().decode(base64);
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Wrong("has no certificate in attestationRootCertificates of aaguid " + aaguid, "write certificates as base64 of DER");
    }
  }
}
