package dev.gatehouse.idp.passkey;

import com.webauthn4j.data.AuthenticationData;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Owned;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.passkey.Passkeys.State;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.passkey.PasskeyCeremony.Purpose;
import dev.gatehouse.idp.passkey.PasskeyVerifier.Refused;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks for passkeys, and checks what browsers answer (WebAuthn, section 7.2). */
public final class PasskeyLogins {

  private final Passkeys passkeys;
  private final PasskeyChallenges challenges;
  private final AuditLog audit;
  private final RefusalLog refusals;
  private final InstantSource clock;
  private final PasskeyVerifier verifier = new PasskeyVerifier();

  public PasskeyLogins(Passkeys passkeys, PasskeyChallenges challenges, AuditLog audit, RefusalLog refusals, InstantSource clock) {
    this.refusals = refusals;
    this.passkeys = passkeys;
    this.challenges = challenges;
    this.audit = audit;
    this.clock = clock;
  }

  /** The person's passkeys that can be a second step. Empty if the realm takes no passkeys. */
  public List<Passkey> strong(RealmRequest request, PersonId person) {
    return request.idp().contracts().passkeys().isEmpty()
        ? List.of()
        : passkeys.of(request.realm().name(), person).stream().filter(PasskeyLevels::isStrong).toList();
  }

  /**
   * The PublicKeyCredentialRequestOptions (section 5.5).
   *
   * @param allowed the passkeys of a person who has passed a first step; empty if nobody is known: then nothing tells who has one
   */
  public Map<String, Object> options(RealmRequest request, PasskeyParty party, PasskeyCeremony ceremony, List<Passkey> allowed) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("challenge", challenges.issue(request.realm().name(), ceremony));
    options.put("rpId", party.rpId());
    options.put("timeout", PasskeyChallenges.LIFE.toMillis());
    options.put("userVerification", ceremony.purpose() == Purpose.LOGIN ? "required" : "preferred");
    if (!allowed.isEmpty()) {
      options.put("allowCredentials", descriptors(allowed));
    }
    return options;
  }

  static List<Map<String, Object>> descriptors(List<Passkey> some) {
    return some.stream()
        .map(p -> Map.<String, Object>of("type", "public-key", "id", p.id(), "transports", p.model().transports()))
        .toList();
  }

  /**
   * Checks an answer: first everything that costs nothing, then the signature, then the challenge and the counter are taken.
   *
   * @param person at the second step, or who confirms the passkey; empty at a login
   */
  public PasskeyResult check(RealmRequest request, PasskeyCeremony ceremony, Optional<PersonId> person, String json) {
    Optional<Owned> found = Optional.empty();
    try {
      PasskeyParty party = PasskeyParty.of(request).orElseThrow(() -> new Refused(PasskeyRefusal.ORIGIN_NOT_ALLOWED));
      AuthenticationData data = verifier.readAuthentication(json);
      String realm = request.realm().name();
      found = passkeys.owned(realm, PasskeyVerifier.base64url(data.getCredentialId()));
      Owned owned =
          found
              .filter(p -> person.isEmpty() || person.get().equals(p.passkey().person()))
              .orElseThrow(() -> new Refused(PasskeyRefusal.UNKNOWN_PASSKEY));
      if (person.isPresent() && ceremony.purpose() != Purpose.CONFIRMATION && !PasskeyLevels.isStrong(owned.passkey())) {
        throw new Refused(PasskeyRefusal.PASSKEY_NOT_CONFIRMED);
      }
      return taken(request, party, ceremony, owned, data);
    } catch (Refused e) {
      // A stranger who invents answers would fill the audit log.
      if (person.isPresent() || found.isPresent() || refusals.admits(request.http().client())) {
        refused(request, found.map(Owned::passkey), e.reason());
      }
      return new PasskeyResult.Refused(e.reason());
    }
  }

  private PasskeyResult taken(
      RealmRequest request, PasskeyParty party, PasskeyCeremony ceremony, Owned owned, AuthenticationData data) throws Refused {
    String realm = request.realm().name();
    Passkey passkey = owned.passkey();
    byte[] challenge = data.getCollectedClientData().getChallenge().getValue();
    Optional<PasskeyRefusal> wrong = challenges.check(realm, ceremony, challenge);
    if (wrong.isPresent()) {
      throw new Refused(wrong.get());
    }
    checkHandle(ceremony, owned, data);
    boolean verified = data.getAuthenticatorData().isFlagUV();
    // A key that may be copied counts only together with the person's verification.
    boolean mustVerify = ceremony.purpose() == Purpose.LOGIN || passkey.model().backupEligible();
    verifier.authentication(party, passkey, data, challenge, mustVerify);
    if (!challenges.take(realm, challenge)) {
      throw new Refused(PasskeyRefusal.CHALLENGE_USED);
    }
    State now =
        new State(data.getAuthenticatorData().getSignCount(), data.getAuthenticatorData().isFlagBS(), Optional.of(clock.instant()));
    if (!passkeys.use(realm, passkey.id(), now)) {
      boolean isThere = passkeys.find(realm, passkey.id()).isPresent();
      throw new Refused(isThere ? PasskeyRefusal.COUNTER_REGRESSED : PasskeyRefusal.UNKNOWN_PASSKEY);
    }
    if (now.backedUp() != passkey.state().backedUp()) {
      changed(request, passkey.person(), now.backedUp() ? "backed-up" : "backup-ended");
    }
    return new PasskeyResult.Accepted(passkey, verified);
  }

  /** Section 7.2, step 6: who is not known yet is named by the authenticator. */
  private static void checkHandle(PasskeyCeremony ceremony, Owned owned, AuthenticationData data) throws Refused {
    byte[] sent = data.getUserHandle();
    if (sent == null || sent.length == 0) {
      if (ceremony.purpose() == Purpose.LOGIN) {
        throw new Refused(PasskeyRefusal.OTHER_PERSON);
      }
      return;
    }
    if (!Arrays.equals(sent, Base64.getUrlDecoder().decode(owned.userHandle()))) {
      throw new Refused(PasskeyRefusal.OTHER_PERSON);
    }
  }

  private void refused(RealmRequest request, Optional<Passkey> passkey, PasskeyRefusal reason) {
    String person = passkey.map(p -> p.person().value()).orElse("-");
    audit.record(new AuditEvent.LoginRefused(request.context(), person, "passkey", reason.name()));
    if (reason == PasskeyRefusal.COUNTER_REGRESSED) {
      passkey.ifPresent(p -> changed(request, p.person(), "copied"));
    }
  }

  private void changed(RealmRequest request, PersonId person, String change) {
    audit.record(new AuditEvent.PasskeyChanged(request.context(), person.value(), change));
  }
}
