package dev.gatehouse.sp.acs;

import dev.gatehouse.common.realm.SessionLife;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.check.Expectation;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Reads off an assertion who the person is at this side, as the realm maps it. */
final class SubjectMapper {

  private SubjectMapper() {}

  /** The user's name: the mapped attribute, else the NameID. {@code UserNameCheck} saw to it that there is but one. */
  static String user(SpRealm realm, VerifiedAssertion assertion) {
    List<String> names = values(assertion.attributes(), realm.sp().subject().user());
    return names.isEmpty() ? assertion.nameId().value() : names.getFirst();
  }

  static AppSession session(SpRealm realm, VerifiedAssertion assertion, SessionId id, Instant now) {
    SessionLife life = realm.sp().session();
    SubjectMapping mapping = realm.sp().subject();
    String user = user(realm, assertion);
    Instant longest = now.plus(life.absolute());
    // The allowance that let the assertion in lets the session live as well: else one would open that has ended.
    Instant absoluteEnd =
        assertion
            .sessionNotOnOrAfter()
            .map(end -> end.plus(Expectation.CLOCK_SKEW))
            .filter(longest::isAfter)
            .orElse(longest);
    Instant idleEnd = now.plus(life.idle());
    return new AppSession(
        id,
        realm.name(),
        AppSession.personId(assertion.identityProvider(), user),
        now,
        idleEnd.isBefore(absoluteEnd) ? idleEnd : absoluteEnd,
        absoluteEnd,
        user,
        values(assertion.attributes(), mapping.roles()),
        values(assertion.attributes(), mapping.groups()),
        assertion.attributes(),
        assertion.identityProvider(),
        assertion.nameId(),
        assertion.sessionIndex(),
        assertion.authnContextClassRef());
  }

  private static List<String> values(Map<String, List<String>> attributes, String name) {
    return attributes.getOrDefault(AttributeName.plain(name), List.of());
  }
}
