package dev.gatehouse.idp.account;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Passkey;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.PasskeyEndpoint;
import dev.gatehouse.idp.authn.PasskeyScript;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.passkey.PasskeyCeremony;
import dev.gatehouse.idp.passkey.PasskeyEnrolments;
import dev.gatehouse.idp.passkey.PasskeyLevels;
import dev.gatehouse.idp.passkey.PasskeyLogins;
import dev.gatehouse.idp.passkey.PasskeyParty;
import dev.gatehouse.idp.passkey.PasskeyResult;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A person's passkeys. Each change needs a login of the last ten minutes, with everything that the person has: a thief of a password or of
 * a session must not enrol a passkey that counts for more than the password.
 */
public final class PasskeysEndpoint implements Endpoint {

  static final String PATH = RecentLogin.PASSKEYS_PATH;

  static final String OPTIONS = "account/passkeys/options";

  private static final String FORM = "passkeys";
  private static final Set<String> DONE = Set.of("added", "removed", "confirmed");
  private static final Set<String> WRONG = Set.of("passkey", "last");

  /** One passkey, as the page shows it. */
  private record Line(
      String id, String label, Instant createdAt, Optional<Instant> usedAt, boolean strong, boolean synced) {}

  private final IdpSessions sessions;
  private final RecentLogin recentLogin;
  private final EnrollingLogin login;
  private final PasskeyEnrolments enrolments;
  private final PasskeyLogins logins;
  private final Pages pages;
  private final Refusals refusals;

  public PasskeysEndpoint(
      IdpSessions sessions,
      RecentLogin recentLogin,
      EnrollingLogin login,
      PasskeyEnrolments enrolments,
      PasskeyLogins logins,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.recentLogin = recentLogin;
    this.login = login;
    this.enrolments = enrolments;
    this.logins = logins;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (PasskeyParty.of(request).isEmpty()) {
      return refusals.page(request, 404, "not-found", "PASSKEYS_OFF");
    }
    return AuthenticatedPerson.onPage(sessions, refusals, request, FORM, me -> list(request, me), me -> post(request, me));
  }

  /** What the script asks the browser for. */
  EdgeReply options(RealmRequest request) {
    Optional<PasskeyParty> party = PasskeyParty.of(request);
    Optional<AuthenticatedPerson> me = AuthenticatedPerson.of(sessions, request).filter(who -> login.level(request, who).isPresent());
    if (party.isEmpty() || me.isEmpty()) {
      return refusals.page(request, 403, "expired", "NO_RECENT_LOGIN");
    }
    Optional<Passkey> confirmed = confirmed(request, me.get());
    return confirmed.isPresent()
        ? PasskeyEndpoint.json(
            logins.options(request, party.get(), EnrollingLogin.confirmation(me.get(), confirmed.get().id()), List.of(confirmed.get())))
        : PasskeyEndpoint.json(enrolments.options(request, party.get(), EnrollingLogin.ceremony(me.get()), person(me.get())));
  }

  private EdgeReply post(RealmRequest request, AuthenticatedPerson me) {
    Parameters fields = request.http().formParameters();
    Optional<AuthnLevel> level = login.level(request, me);
    if (level.isEmpty()) {
      return recentLogin.ask(request, RecentLogin.For.PASSKEYS, login.isStrong(request, me));
    }
    String passkey = fields.one("passkey").orElse("");
    return switch (fields.one("action").orElse("")) {
      case "begin" -> EdgeReply.seeOther(request.here(PATH));
      case "add" -> {
        String response = fields.one("response").orElse("");
        String label = fields.one("label").orElse("");
        yield enrolments
            .keep(request, EnrollingLogin.ceremony(me), me.session(), level.get(), label, response)
            .map(refused -> EdgeReply.seeOther(request.here(PATH) + "?wrong=passkey"))
            .orElseGet(() -> done(request, "added"));
      }
      case "confirm" ->
          fields
              .one("response")
              .map(response -> confirm(request, me, passkey, level.get(), response))
              .orElseGet(() -> EdgeReply.seeOther(request.here(PATH) + "?confirm=" + URLEncoder.encode(passkey, StandardCharsets.UTF_8)));
      case "remove" -> {
        if (login.keepsOne(request, me)) {
          yield enrolments.removeUnlessLast(request, person(me), passkey)
              ? done(request, "removed")
              : EdgeReply.seeOther(request.here(PATH) + "?wrong=last");
        }
        enrolments.remove(request, person(me), passkey);
        yield done(request, "removed");
      }
      default -> refusals.page(request, 400, "bad-request", "NO_SUCH_ACTION");
    };
  }

  /** Somebody may have added a passkey of his own to the person's: the person confirms what is in the hand. */
  private EdgeReply confirm(RealmRequest request, AuthenticatedPerson me, String passkey, AuthnLevel level, String response) {
    PasskeyCeremony ceremony = EnrollingLogin.confirmation(me, passkey);
    PasskeyResult result = logins.check(request, ceremony, Optional.of(me.session().person()), response);
    if (!(result instanceof PasskeyResult.Accepted(Passkey used, boolean verified) && used.id().equals(passkey))) {
      return EdgeReply.seeOther(request.here(PATH) + "?wrong=passkey");
    }
    enrolments.confirm(request, person(me), passkey, level);
    return done(request, "confirmed");
  }

  /** The passkey that the page asks for, if the login is worth more than a password. */
  private Optional<Passkey> confirmed(RealmRequest request, AuthenticatedPerson me) {
    return request
        .http()
        .queryParameters()
        .one("confirm")
        .filter(id -> login.level(request, me).filter(level -> level.reaches(AuthnLevel.SECOND_FACTOR)).isPresent())
        .flatMap(id -> enrolments.of(request, me.session().person()).stream().filter(passkey -> passkey.id().equals(id)).findFirst());
  }

  private static EdgeReply done(RealmRequest request, String what) {
    return EdgeReply.seeOther(request.here(PATH) + "?done=" + what);
  }

  private static Person person(AuthenticatedPerson me) {
    return me.session().snapshot().details();
  }

  private EdgeReply list(RealmRequest request, AuthenticatedPerson me) {
    List<Passkey> mine = enrolments.of(request, me.session().person());
    Optional<AuthnLevel> level = login.level(request, me);
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here(PATH));
    Optional<Passkey> confirmed = confirmed(request, me);
    String asked = confirmed.map(passkey -> "?confirm=" + passkey.id()).orElse("");
    model.put("options", request.here(OPTIONS) + asked);
    model.put("confirming", confirmed.map(Passkey::id));
    model.put("confirmed", confirmed.map(Passkey::label).orElse(""));
    model.put("account", request.here("account"));
    model.put("csrf", CsrfToken.of(me.token(), FORM));
    model.put("done", request.http().queryParameters().one("done").filter(DONE::contains));
    model.put("wrong", request.http().queryParameters().one("wrong").filter(WRONG::contains));
    model.put(
        "passkeys",
        mine.stream()
            .map(
                p ->
                    new Line(
                        p.id(), p.label(), p.createdAt(), p.state().usedAt(), PasskeyLevels.isStrong(p), p.model().backupEligible()))
            .toList());
    model.put("ready", level.isPresent());
    model.put("confirms", level.filter(l -> l.reaches(AuthnLevel.SECOND_FACTOR)).isPresent());
    model.put("full", mine.size() >= Passkeys.MAX_PASSKEYS);
    Page page = new Page(200, "passkeys", model, Page.Policy.scripted(request.here(PasskeyScript.PATH)));
    return pages.render(request.http(), Optional.of(request.realm()), page);
  }
}
