package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.home.OurNames;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Decides about passcodes of one realm's own people, and lets the home of a visitor decide. A home is asked once, and nobody else then. */
final class VisitorPasscodes implements PasscodeCheck {

  /** A name that User-Name of RADIUS has no room for names nobody (RFC 2865, section 5.1). */
  private static final int MOST_BYTES = 253;

  private final Realm realm;
  private final OtpTrusts trusts;
  private final boolean visitors;
  private final PasscodeCheck own;
  private final Visits parts;

  VisitorPasscodes(Realm realm, OtpTrusts trusts, boolean visitors, PasscodeCheck own, Visits parts) {
    this.realm = realm;
    this.trusts = trusts;
    this.visitors = visitors;
    this.own = own;
    this.parts = parts;
  }

  @Override
  public PasscodeResult check(PasscodeAttempt attempt) {
    if (!visitors) {
      return own.check(named(attempt));
    }
    String visit = RequestId.current().orElseGet(() -> RequestId.create(parts.random));
    return switch (parts.homes.of(realm, trusts, attempt.name(), visit)) {
      case Homes.Whose.Ours ours -> own.check(named(attempt));
      case Homes.Whose.Visitors(TrustedRealm home, boolean sought) -> {
        PasscodeResult result = ask(home, attempt, visit, Optional.empty());
        if (sought && result instanceof Accepted) {
          parts.homes.remember(realm, attempt.name(), home);
        }
        yield result;
      }
      case Homes.Whose.Disputed(List<String> homes) ->
          undecided(attempt, visit, String.join(" ", homes), Reason.HOME_AMBIGUOUS);
      case Homes.Whose.Silent(List<String> homes) ->
          undecided(attempt, visit, String.join(" ", homes), Reason.HOME_UNAVAILABLE);
    };
  }

  @Override
  public PasscodeResult answer(String reference, PasscodeAttempt attempt) {
    if (!visitors || !HomeReference.isOne(reference)) {
      return own.answer(reference, named(attempt));
    }
    String visit = RequestId.current().orElseGet(() -> RequestId.create(parts.random));
    Optional<HomeReference> asked = HomeReference.open(parts.sealing, realm, attempt, reference);
    Optional<TrustedRealm> home = asked.flatMap(known -> trusts.realms().stream().filter(known::isOf).findFirst());
    if (home.isEmpty()) {
      return undecided(attempt, visit, "-", Reason.CHALLENGE_UNKNOWN);
    }
    PasscodeResult result = ask(home.get(), attempt, visit, Optional.of(asked.orElseThrow().atHome()));
    if (result instanceof Accepted && OurNames.suffix(attempt.name()).isEmpty()) {
      parts.homes.remember(realm, attempt.name(), home.get());
    }
    return result;
  }

  /** Our people may write their name with our suffix. */
  private PasscodeAttempt named(PasscodeAttempt attempt) {
    String name = OurNames.here(trusts, attempt.name()).orElse(attempt.name());
    return name.equals(attempt.name()) ? attempt : attempt.named(name);
  }

  /** Asks the home. Neither the person's address nor the client is told. */
  private PasscodeResult ask(TrustedRealm home, PasscodeAttempt attempt, String visit, Optional<String> challenge) {
    if (!isAdmitted(home, attempt)) {
      return undecided(attempt, visit, home.name(), Reason.NOT_ADMITTED);
    }
    Map<String, String> form = Map.of("name", attempt.name(), "passcode", attempt.passcode(), "visit", visit);
    return switch (parts.links.to(realm, trusts, home).decide(form, challenge)) {
      case HomeReply.Accepted(String id, String name, var told) ->
          decided(attempt, visit, home, accepted(home, attempt, visitor(home, id, name, told), name));
      case HomeReply.Rejected() -> decided(attempt, visit, home, new Refused(Reason.HOME_REFUSED));
      case HomeReply.Challenged(Question question, String reference, var shown) ->
          decided(
              attempt, visit, home, new Challenged(question, HomeReference.seal(parts.sealing, realm, attempt, home, reference), shown));
      case HomeReply.Missing(Reason reason) -> undecided(attempt, visit, home.name(), reason);
    };
  }

  /** The home may only tell the name that was typed, as a directory may write it, and none that one of our people has. */
  private PasscodeResult accepted(TrustedRealm home, PasscodeAttempt attempt, Person visitor, String name) {
    boolean isTyped = LoginNames.counted(name).equals(LoginNames.counted(OurNames.local(attempt.name())));
    boolean isNamed = isTyped && visitor.name().getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    if (!isNamed || parts.homes.isOurs(realm, visitor.name())) {
      return new Refused(Reason.HOME_ANSWER_INVALID);
    }
    // Roles that the home's word gives are known only now.
    return attempt.admission().admits().test(visitor) ? new Accepted(visitor, Visits.HOME + home.name()) : new Refused(Reason.NOT_ADMITTED);
  }

  /**
   * The roles that a visitor can have at most are known before the home is asked, so that a passcode is not used up for nothing; they are
   * in no group of ours.
   */
  private boolean isAdmitted(TrustedRealm home, PasscodeAttempt attempt) {
    boolean byAccess =
        realm.idp().flatMap(idp -> idp.contracts().token()).filter(rules -> rules.admits(attempt.client(), List.of(), parts.clock.instant())).isPresent();
    return byAccess && attempt.admission().admits().test(atMost(home));
  }

  /**
   * A visitor has the roles that this realm gives, and a name that is none of our people's: the home cannot choose either. Of what it tells,
   * the attributes that this realm takes are left.
   */
  private static Person visitor(TrustedRealm home, String id, String name, Map<String, List<String>> told) {
    Map<String, List<String>> taken = new TreeMap<>(told);
    taken.keySet().retainAll(home.exchange().takes());
    Set<String> roles = new HashSet<>(home.roles());
    home.exchange().grants().stream()
        .filter(grant -> told.getOrDefault(grant.attribute(), List.of()).contains(grant.value()))
        .forEach(grant -> roles.addAll(grant.roles()));
    return visitor(home, id, name, taken, roles);
  }

  private static Person atMost(TrustedRealm home) {
    Set<String> roles = new HashSet<>(home.roles());
    home.exchange().grants().forEach(grant -> roles.addAll(grant.roles()));
    return visitor(home, "", "", Map.of(), roles);
  }

  private static Person visitor(TrustedRealm home, String id, String name, Map<String, List<String>> attributes, Set<String> roles) {
    return new Person(new PersonId(home.name() + ":" + id), name + "@" + home.name(), "", attributes, List.of(), Set.copyOf(roles));
  }

  private PasscodeResult decided(PasscodeAttempt attempt, String visit, TrustedRealm home, PasscodeResult result) {
    parts.records.decided(event(attempt, visit, home.name(), result));
    return result;
  }

  private PasscodeResult undecided(PasscodeAttempt attempt, String visit, String homes, Reason reason) {
    Refused refused = new Refused(reason);
    parts.records.undecided(event(attempt, visit, homes, refused));
    return refused;
  }

  private AuditEvent.VisitorDecided event(PasscodeAttempt attempt, String visit, String home, PasscodeResult result) {
    AuditEvent.Context context =
        new AuditEvent.Context(realm.name(), attempt.address().isEmpty() ? "-" : attempt.address(), Optional.of(visit));
    String typed = attempt.name().length() > LoginNames.LONGEST ? attempt.name().substring(0, LoginNames.LONGEST) : attempt.name();
    return switch (result) {
      case Accepted(Person person, String token) ->
          new AuditEvent.VisitorDecided(context, person.name(), attempt.client(), home, "accepted", person.id().value());
      case Refused(Reason reason) -> new AuditEvent.VisitorDecided(context, typed, attempt.client(), home, "refused", reason.name());
      case Challenged(Question question, var reference, var shown) ->
          new AuditEvent.VisitorDecided(context, typed, attempt.client(), home, "challenged", question.name());
    };
  }
}
