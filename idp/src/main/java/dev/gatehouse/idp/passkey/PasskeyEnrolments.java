package dev.gatehouse.idp.passkey;

import com.webauthn4j.data.RegistrationData;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.passkey.PasskeyVerifier.Made;
import dev.gatehouse.idp.passkey.PasskeyVerifier.Refused;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSession;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Enrols, confirms and removes passkeys (WebAuthn, section 7.1). */
public final class PasskeyEnrolments {

  private static final int LABEL_LENGTH = 64;

  /** Section 5.4.3: at most 64 bytes, and nothing about the person. */
  private static final int HANDLE_BYTES = 32;

  private final Passkeys passkeys;
  private final PasskeyChallenges challenges;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final PasskeyVerifier verifier = new PasskeyVerifier();

  public PasskeyEnrolments(
      Passkeys passkeys, PasskeyChallenges challenges, AuditLog audit, InstantSource clock, RandomGenerator random) {
    this.passkeys = passkeys;
    this.challenges = challenges;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  public List<Passkey> of(RealmRequest request, PersonId person) {
    return passkeys.of(request.realm().name(), person);
  }

  /** The PublicKeyCredentialCreationOptions (section 5.4). */
  public Map<String, Object> options(RealmRequest request, PasskeyParty party, PasskeyCeremony ceremony, Person person) {
    String realm = request.realm().name();
    byte[] fresh = new byte[HANDLE_BYTES];
    random.nextBytes(fresh);
    String handle = passkeys.userHandle(realm, person.id(), PasskeyVerifier.base64url(fresh));
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("challenge", challenges.issue(realm, ceremony));
    options.put("rp", Map.of("id", party.rpId(), "name", request.realm().brand().displayName()));
    // Name and displayName are shown by the device to its owner, and never come back.
    options.put("user", Map.of("id", handle, "name", person.name(), "displayName", person.name()));
    options.put(
        "pubKeyCredParams", PasskeyVerifier.ALGORITHMS.stream().map(a -> Map.of("type", "public-key", "alg", a)).toList());
    options.put("timeout", PasskeyChallenges.LIFE.toMillis());
    options.put("excludeCredentials", PasskeyLogins.descriptors(passkeys.of(realm, person.id())));
    options.put("authenticatorSelection", Map.of("residentKey", "preferred", "userVerification", "preferred"));
    options.put("attestation", models(request).isEmpty() ? "none" : "direct");
    return options;
  }

  /**
   * Stores the passkey that the browser sent.
   *
   * @param session the session that adds it: the person is told of it in another one
   * @param level of the login by which the person is here
   */
  public Optional<PasskeyRefusal> keep(
      RealmRequest request, PasskeyCeremony ceremony, IdpSession session, AuthnLevel level, String label, String json) {
    Person person = session.snapshot().details();
    String realm = request.realm().name();
    try {
      PasskeyParty party = PasskeyParty.of(request).orElseThrow(() -> new Refused(PasskeyRefusal.ORIGIN_NOT_ALLOWED));
      RegistrationData data = verifier.readRegistration(json);
      byte[] challenge = data.getCollectedClientData().getChallenge().getValue();
      Optional<PasskeyRefusal> wrong = challenges.check(realm, ceremony, challenge);
      if (wrong.isPresent()) {
        throw new Refused(wrong.get());
      }
      Made made = verifier.registration(party, data, challenge, models(request));
      if (!challenges.take(realm, challenge)) {
        throw new Refused(PasskeyRefusal.CHALLENGE_USED);
      }
      Passkey passkey =
          new Passkey(
              made.id(), person.id(), made.publicKey(), made.model(), made.state(), named(label), level.name(), clock.instant());
      if (!passkeys.add(realm, passkey, session.first().value(), Passkeys.MAX_PASSKEYS)) {
        throw new Refused(PasskeyRefusal.PASSKEY_NOT_STORED);
      }
      record(request, person, "enrolled");
      return Optional.empty();
    } catch (Refused e) {
      audit.record(new AuditEvent.LoginRefused(request.context(), person.name(), "passkey", e.reason().name()));
      return Optional.of(e.reason());
    }
  }

  /** Raises a passkey to the level of the login by which the person is here. */
  public void confirm(RealmRequest request, Person person, String id, AuthnLevel level) {
    if (passkeys.setLevel(request.realm().name(), person.id(), id, level.name())) {
      record(request, person, "confirmed");
    }
  }

  /** Removes a passkey unless it is the last strong one; returns false if it is. */
  public boolean removeUnlessLast(RealmRequest request, Person person, String id) {
    String realm = request.realm().name();
    boolean removed = passkeys.removeUnlessLast(realm, person.id(), id);
    if (removed) {
      record(request, person, "removed");
    }
    return removed || passkeys.of(realm, person.id()).stream().noneMatch(passkey -> passkey.id().equals(id));
  }

  public void remove(RealmRequest request, Person person, String id) {
    if (passkeys.remove(request.realm().name(), person.id(), id)) {
      record(request, person, "removed");
    }
  }

  /**
   * Removes the passkeys that are worth no more than a password, because the password was changed: somebody who knew the old one may have
   * added them.
   *
   * @param context has the realm
   */
  public void removeWeak(AuditEvent.Context context, PersonId person) {
    for (Passkey passkey : passkeys.of(context.realm(), person)) {
      if (!PasskeyLevels.isStrong(passkey) && passkeys.remove(context.realm(), person, passkey.id())) {
        audit.record(new AuditEvent.PasskeyChanged(context, person.value(), "removed"));
      }
    }
  }

  private static List<AuthenticatorModel> models(RealmRequest request) {
    return request.idp().contracts().passkeys().map(ContractsConfig.Passkeys::models).orElse(List.of());
  }

  private static String named(String label) {
    String printable = label.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip();
    return printable.length() > LABEL_LENGTH ? printable.substring(0, LABEL_LENGTH) : printable;
  }

  private void record(RealmRequest request, Person person, String change) {
    audit.record(new AuditEvent.PasskeyChanged(request.context(), person.id().value(), change));
  }
}
