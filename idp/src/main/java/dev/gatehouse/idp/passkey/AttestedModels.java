package dev.gatehouse.idp.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.anchor.TrustAnchorRepository;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.verifier.attestation.statement.androidkey.AndroidKeyAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.apple.AppleAnonymousAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.packed.PackedAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.statement.tpm.TPMAttestationStatementVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.certpath.DefaultCertPathTrustworthinessVerifier;
import com.webauthn4j.verifier.attestation.trustworthiness.self.DefaultSelfAttestationTrustworthinessVerifier;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import java.security.cert.TrustAnchor;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes the models of authenticators that a realm lists (WebAuthn, section 7.1, steps 21 to 23). An attestation of format {@code none}, one
 * that the authenticator signs for itself, and one of FIDO U2F, which names no model, prove nothing and are refused.
 */
final class AttestedModels implements TrustAnchorRepository {

  private final List<AuthenticatorModel> models;

  private AttestedModels(List<AuthenticatorModel> models) {
    this.models = models;
  }

  static WebAuthnManager manager(List<AuthenticatorModel> models, ObjectConverter converter) {
    return new WebAuthnManager(
        List.of(
            new PackedAttestationStatementVerifier(),
            new TPMAttestationStatementVerifier(),
            new AndroidKeyAttestationStatementVerifier(),
            new AppleAnonymousAttestationStatementVerifier()),
        new DefaultCertPathTrustworthinessVerifier(new AttestedModels(models)),
        new DefaultSelfAttestationTrustworthinessVerifier(false),
        converter);
  }

  @Override
  public Set<TrustAnchor> find(AAGUID aaguid) {
    return models.stream()
        .filter(model -> model.aaguid().equals(aaguid.getValue()))
        .flatMap(model -> model.roots().stream())
        .map(root -> new TrustAnchor(root, null))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Set<TrustAnchor> find(byte[] keyIdentifier) {
    return Set.of();
  }
}
