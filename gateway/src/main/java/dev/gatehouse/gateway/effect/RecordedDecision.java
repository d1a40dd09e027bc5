package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A decision about a person's request, with everything that is needed to decide it again.
 *
 * @param at in milliseconds of the epoch, as all times here
 */
record RecordedDecision(long fingerprint, long at, Asker asker, Asked asked, boolean permitted) {

  /**
   * The person.
   *
   * @param provider entity ID or issuer
   * @param authnContext of the login or token
   * @param token present if the person presented an access token, not a session
   */
  record Asker(
      String realm,
      String person,
      String provider,
      Account account,
      Optional<String> authnContext,
      long authenticatedAt,
      long lastUse,
      Optional<Token> token) {

    static Asker of(String realm, AppSession session, Instant lastUse) {
      LocalAccount account = session.account();
      return new Asker(
          realm,
          session.person().value(),
          session.login().identityProvider(),
          new Account(account.user(), account.roles(), account.groups(), account.attributes()),
          session.login().authnContextClassRef(),
          session.login().authenticatedAt().toEpochMilli(),
          lastUse.toEpochMilli(),
          Optional.empty());
    }

    static Asker of(String realm, TokenHolder holder) {
      TokenHolder.Account account = holder.account();
      return new Asker(
          realm,
          holder.person(),
          holder.issuer(),
          new Account(account.user(), account.roles(), account.groups(), account.attributes()),
          holder.acr(),
          0,
          0,
          Optional.of(new Token(holder.subject(), holder.client(), List.copyOf(holder.scopes()))));
    }

    /** Returns the person as rules see it. */
    Subject subject(Instant now) {
      Instant later = now.plus(Duration.ofHours(1));
      if (token.isPresent()) {
        return new Subject.Holder(
            new TokenHolder(
                provider, token.get().subject(), token.get().client(),
                new TokenHolder.Account(account.user(), account.roles(), account.groups(), account.attributes()),
                Set.copyOf(token.get().scopes()), authnContext, Optional.empty(), later));
      }
      return new Subject.Person(
          new AppSession(
              new SessionId("-"), realm, new Lifetime(now, later, later),
              new LocalAccount(new PersonId(person), account.user(), account.roles(), account.groups(), account.attributes()),
              new AppSession.Login(
                  provider, NameId.of(account.user(), NameId.UNSPECIFIED), Optional.empty(), authnContext,
                  Instant.ofEpochMilli(authenticatedAt))));
    }

    /** Omits all personal data. */
    @Override
    public String toString() {
      return "somebody of the realm " + realm;
    }
  }

  /** The person as apps and rules see it. */
  record Account(String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {

    /** Omits all personal data. */
    @Override
    public String toString() {
      return "account";
    }
  }

  /** What an access token adds to its holder. */
  record Token(String subject, Optional<String> client, List<String> scopes) {}

  /**
   * The request.
   *
   * @param path normalised, without the query
   * @param client the address
   * @param route as the configuration was then
   */
  record Asked(String origin, String method, String path, String client, String route) {

    String url() {
      return origin + path;
    }
  }

  /** The same without attributes that no policy of the realm names. */
  RecordedDecision with(AttributeNames names) {
    Account account = asker.account();
    Map<String, List<String>> named = new HashMap<>();
    account.attributes().forEach((name, values) -> {
      if (names.contains(name)) {
        named.put(name, values);
      }
    });
    Account less = new Account(account.user(), account.roles(), account.groups(), named);
    Asker same =
        new Asker(
            asker.realm(), asker.person(), asker.provider(), less, asker.authnContext(), asker.authenticatedAt(), asker.lastUse(), asker.token());
    return new RecordedDecision(fingerprint, at, same, asked, permitted);
  }

  /** Identifies the person and the request; of two with the same, the newer one counts. */
  long key() {
    long hash = Fingerprint.with(permitted ? 1 : 2, asker.realm());
    hash = Fingerprint.with(hash, asker.person());
    hash = Fingerprint.with(hash, asker.authnContext().orElse(""));
    hash = Fingerprint.with(hash, asker.token().hashCode());
    hash = Fingerprint.with(hash, asked.origin());
    hash = Fingerprint.with(hash, asked.method());
    return Fingerprint.with(hash, asked.path());
  }

  /** A decision that waits to be written, and the realm as it was. */
  record Waiting(Realm realm, RecordedDecision decision) {}
}
