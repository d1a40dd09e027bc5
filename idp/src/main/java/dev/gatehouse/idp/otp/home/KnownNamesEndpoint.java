package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.ProgramForm;
import dev.gatehouse.idp.otp.PasscodeChecks;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a name is one of our people with a token: {@code POST otp/v1/visitors/known} with {@code name} and {@code visit}. Only realms that
 * are {@code told} learn it, a tenth as often as they may ask about passcodes; others always hear no.
 */
final class KnownNamesEndpoint implements Endpoint {

  static final String PATH = "otp/v1/visitors/known";

  private final PasscodeChecks passcodes;
  private final Directories directories;
  private final AskedRates rates;
  private final OAuthReplies replies;
  private final AuditLog audit;
  private final InstantSource clock;

  KnownNamesEndpoint(
      PasscodeChecks passcodes, Directories directories, AskedRates rates, OAuthReplies replies, AuditLog audit, InstantSource clock) {
    this.passcodes = passcodes;
    this.directories = directories;
    this.rates = rates;
    this.replies = replies;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Result<EdgeReply, OAuthError> answer =
        AskingRealm.of(request, clock.instant())
            .then(asking -> rates.limited(request, asking, AskedRates.Kind.NAME))
            .then(
                asking ->
                    ProgramForm.read(request, Set.of())
                        .then(
                            form ->
                                Result.accepted(
                                    answer(request, asking, form.one("name").orElse(""), form.one("visit").filter(RequestId::isUsable)))));
    return replies.answered(request, answer);
  }

  private EdgeReply answer(RealmRequest request, AskingRealm asking, String name, Optional<String> visit) {
    boolean known = asking.realm().told() && isKnown(request.realm(), name);
    if (asking.realm().told()) {
      AuditEvent.Context context = request.context();
      String shown = name.length() > LoginNames.LONGEST ? name.substring(0, LoginNames.LONGEST) : name;
      audit.record(
          new AuditEvent.VisitorSought(context, shown, asking.client(), visit.orElse("-"), known ? "known" : "unknown"));
    }
    return OAuthReplies.json(200, new JsonText().flag("known", known).toBytes());
  }

  private boolean isKnown(Realm realm, String name) {
    if (name.isBlank() || name.length() > LoginNames.LONGEST || OurNames.suffix(name).isPresent()) {
      return false;
    }
    String attribute = realm.directory().orElseThrow().people().nameAttribute();
    return directories.of(realm).findEnabled(attribute, name) instanceof PersonSearch.One(Person person)
        && passcodes.hasToken(realm, person.id());
  }
}
