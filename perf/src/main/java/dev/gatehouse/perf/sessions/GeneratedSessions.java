package dev.gatehouse.perf.sessions;

import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Generates sessions as logins create them, each of another person: ten attributes with unique values of 200 bytes
 * together, and one group; at the identity provider with one of many browsers, and two partners with a transient NameID
 * each.
 */
final class GeneratedSessions {

  static final String REALM = "demo";

  private static final String IDP = "https://login.example.org/realms/demo";
  private static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .";
  private static final int ATTRIBUTES = 10;
  private static final int VALUE_BYTES = 20;
  private static final int BROWSERS = 500;

  private final SplittableRandom random;

  GeneratedSessions() {
    this(20261121);
  }

  GeneratedSessions(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The session of person {@code number} right after the login. */
  IdpSession opened(int number, Instant now) {
    PersonId person = new PersonId(new UUID(random.nextLong(), random.nextLong()).toString());
    String name = People.name(number);
    Person details =
        new Person(
            person,
            name,
            "uid=" + name + ",ou=unit" + number % 10 + ",ou=people,dc=example,dc=com",
            attributes(),
            List.of("group" + number % 10),
            Set.of("group" + number % 10));
    SessionId id = SessionId.of(SessionToken.create(random));
    return new IdpSession(
        id, id, REALM, new Lifetime(now, now.plusSeconds(1800), now.plusSeconds(8 * 3600)), PersonSnapshot.of(details, now),
        List.of(new AuthnEvent(now, LoginContract.PASSWORD, AuthnLevel.PROTECTED_PASSWORD)),
        new IdpSession.Browser(
            "10." + random.nextInt(256) + "." + random.nextInt(256) + "." + random.nextInt(256),
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0." + random.nextInt(BROWSERS)),
        List.of(), SessionDevice.NONE);
  }

  /** The session of person {@code number} at the gateway, right after the identity provider's assertion. */
  AppSession atTheGateway(int number, Instant now) {
    String user = People.name(number);
    String home = "https://sp1.example.org/.gatehouse/saml/metadata";
    return new AppSession(
        SessionId.of(SessionToken.create(random)), REALM,
        new Lifetime(now, now.plusSeconds(1800), now.plusSeconds(8 * 3600)),
        new LocalAccount(
            AppSession.personId(IDP, user),
            user,
            List.of("group" + number % 10),
            List.of("group" + number % 10),
            attributes()),
        new AppSession.Login(
            IDP,
            new NameId(SamlIds.create(random), TRANSIENT, Optional.of(IDP), Optional.of(home)),
            Optional.of(SamlIds.create(random)),
            Optional.of("urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"),
            now));
  }

  /** One of two partners, which gets the person's assertion a moment later. */
  IdpSession.Participant partner(int which, Instant login) {
    String entityId = "https://sp" + which + ".example.org/.gatehouse/saml/metadata";
    return new IdpSession.Participant(
        entityId,
        new NameId(SamlIds.create(random), TRANSIENT, Optional.of(IDP), Optional.of(entityId)),
        SamlIds.create(random),
        login.plusMillis(random.nextInt(10_000)));
  }

  private Map<String, List<String>> attributes() {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    for (int i = 0; i < ATTRIBUTES; i++) {
      StringBuilder value = new StringBuilder(VALUE_BYTES);
      for (int n = 0; n < VALUE_BYTES; n++) {
        value.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      attributes.put("attribute" + i, List.of(value.toString()));
    }
    return attributes;
  }
}
