package dev.gatehouse.idp.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.exception.DataConversionException;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticatorTransport;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.authenticator.COSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.exception.BadChallengeException;
import com.webauthn4j.verifier.exception.BadOriginException;
import com.webauthn4j.verifier.exception.BadRpIdException;
import com.webauthn4j.verifier.exception.BadTopOriginException;
import com.webauthn4j.verifier.exception.CrossOriginException;
import com.webauthn4j.verifier.exception.MaliciousCounterValueException;
import com.webauthn4j.verifier.exception.UserNotVerifiedException;
import com.webauthn4j.verifier.exception.VerificationException;
import dev.gatehouse.common.passkey.Passkeys.Model;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.passkey.Passkeys.State;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The rules of WebAuthn Level 3, sections 7.1 and 7.2, as WebAuthn4J checks them. Stores nothing. */
final class PasskeyVerifier {

  /** ES256, EdDSA and RS256, the best first. */
  static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

  private static final int LONGEST = 60_000;

  private final ObjectConverter converter = new ObjectConverter();
  private final WebAuthnManager manager = WebAuthnManager.createNonStrictWebAuthnManager(converter);

  /** A new passkey as the authenticator made it. */
  record Made(String id, byte[] publicKey, Model model, State state) {}

  /** A refusal, inside of this package. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    private final PasskeyRefusal reason;

    Refused(PasskeyRefusal reason) {
      super(reason.name(), null, false, false);
      this.reason = reason;
    }

    PasskeyRefusal reason() {
      return reason;
    }
  }

  RegistrationData readRegistration(String json) throws Refused {
    try {
      RegistrationData data = manager.parseRegistrationResponseJSON(bounded(json));
      if (data.getCollectedClientData() == null || data.getAttestationObject() == null) {
        throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
      }
      return data;
    } catch (DataConversionException | JacksonException | IllegalArgumentException | NullPointerException e) {
      throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
    }
  }

  AuthenticationData readAuthentication(String json) throws Refused {
    try {
      AuthenticationData data = manager.parseAuthenticationResponseJSON(bounded(json));
      if (data.getCollectedClientData() == null || data.getAuthenticatorData() == null || data.getCredentialId() == null) {
        throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
      }
      return data;
    } catch (DataConversionException | JacksonException | IllegalArgumentException | NullPointerException e) {
      throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
    }
  }

  private static String bounded(String json) throws Refused {
    if (json.isEmpty() || json.length() > LONGEST) {
      throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
    }
    return json;
  }

  /** @param models of which the authenticator must be; any if empty */
  Made registration(PasskeyParty party, RegistrationData data, byte[] challenge, List<AuthenticatorModel> models) throws Refused {
    List<PublicKeyCredentialParameters> algorithms =
        ALGORITHMS.stream()
            .map(a -> new PublicKeyCredentialParameters(PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(a)))
            .toList();
    WebAuthnManager checking = models.isEmpty() ? manager : AttestedModels.manager(models, converter);
    try {
      checking.verify(data, new RegistrationParameters(server(party, challenge), algorithms, false, true));
    } catch (VerificationException e) {
      PasskeyRefusal reason = reason(e);
      throw new Refused(reason == PasskeyRefusal.WRONG_SIGNATURE && !models.isEmpty() ? PasskeyRefusal.ATTESTATION_REFUSED : reason);
    }
    AuthenticatorData<?> made = data.getAttestationObject().getAuthenticatorData();
    AttestedCredentialData credential = made.getAttestedCredentialData();
    if (credential == null) {
      throw new Refused(PasskeyRefusal.PASSKEY_MALFORMED);
    }
    Set<AuthenticatorTransport> transports = Optional.ofNullable(data.getTransports()).orElse(Set.of());
    UUID aaguid = credential.getAaguid().getValue();
    return new Made(
        base64url(credential.getCredentialId()),
        converter.getCborMapper().writeValueAsBytes(credential.getCOSEKey()),
        new Model(
            aaguid == null ? new UUID(0, 0).toString() : aaguid.toString(),
            transports.stream().map(AuthenticatorTransport::getValue).filter(t -> t.matches("[a-z-]{1,20}")).sorted().limit(8).toList(),
            made.isFlagBE()),
        new State(made.getSignCount(), made.isFlagBS(), Optional.empty()));
  }

  void authentication(PasskeyParty party, Passkey passkey, AuthenticationData data, byte[] challenge, boolean mustVerify)
      throws Refused {
    if (data.getAuthenticatorData().isFlagBE() != passkey.model().backupEligible()) {
      throw new Refused(PasskeyRefusal.BACKUP_ELIGIBILITY_CHANGED);
    }
    AttestedCredentialData credential =
        new AttestedCredentialData(
            new AAGUID(UUID.fromString(passkey.model().aaguid())),
            Base64.getUrlDecoder().decode(passkey.id()),
            converter.getCborMapper().readValue(passkey.publicKey(), COSEKey.class));
    @Nullable Boolean unknown = null;
    CredentialRecordImpl stored =
        new CredentialRecordImpl(
            new NoneAttestationStatement(), unknown, passkey.model().backupEligible(), passkey.state().backedUp(),
            passkey.state().counter(), credential, null, null, null, Set.of());
    try {
      manager.verify(data, new AuthenticationParameters(server(party, challenge), stored, null, mustVerify, true));
    } catch (VerificationException e) {
      throw new Refused(reason(e));
    }
  }

  private static ServerProperty server(PasskeyParty party, byte[] challenge) {
    return new ServerProperty(Set.of(new Origin(party.origin().toString())), party.rpId(), new DefaultChallenge(challenge));
  }

  private static PasskeyRefusal reason(VerificationException e) {
    return switch (e) {
      case BadOriginException origin -> PasskeyRefusal.WRONG_ORIGIN;
      case CrossOriginException frame -> PasskeyRefusal.WRONG_ORIGIN;
      case BadTopOriginException frame -> PasskeyRefusal.WRONG_ORIGIN;
      case BadRpIdException party -> PasskeyRefusal.WRONG_RELYING_PARTY;
      case BadChallengeException challenge -> PasskeyRefusal.CHALLENGE_UNKNOWN;
      case UserNotVerifiedException person -> PasskeyRefusal.PERSON_NOT_VERIFIED;
      case MaliciousCounterValueException counter -> PasskeyRefusal.COUNTER_REGRESSED;
      default -> PasskeyRefusal.WRONG_SIGNATURE;
    };
  }

  static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
