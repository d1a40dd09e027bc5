package dev.gatehouse.idp.otp.agent;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.ProgramForm;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.otp.AskRates;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Finds out which agent a request is from, and whether it may ask now. */
final class AgentRequests {

  private static final Set<Method> PROVED = Set.of(Method.PRIVATE_KEY_JWT, Method.TLS, Method.SELF_SIGNED_TLS);

  private final ClientAuthentications authentications;
  private final AskRates rates;

  AgentRequests(ClientAuthentications authentications, AskRates rates) {
    this.authentications = authentications;
    this.rates = rates;
  }

  private record Agent(String realm, String clientId) {}

  /**
   * An agent that proved who it is, and what it sent.
   *
   * @param id the client ID
   */
  record Proved(String id, ClientConfig.Passcodes rights, Parameters form) {}

  Result<Proved, OAuthError> proved(RealmRequest request) {
    return ProgramForm.read(request, Set.of())
        .then(form -> authentications.authenticate(request, form).then(client -> permitted(client, form)))
        .then(agent -> limited(request, agent));
  }

  private static Result<Proved, OAuthError> permitted(AuthenticatedClient client, Parameters form) {
    Optional<ClientConfig.Passcodes> rights = client.client().config().permissions().passcodes();
    return rights.isEmpty() || !PROVED.contains(client.method())
        ? OAuthError.refused(Code.UNAUTHORIZED_CLIENT, "The client may not ask about passcodes: it has no passcodes section")
        : Result.accepted(new Proved(client.client().id(), rights.get(), form));
  }

  private Result<Proved, OAuthError> limited(RealmRequest request, Proved agent) {
    return rates.admits(new Agent(request.realm().name(), agent.id()), agent.rights().perSecond())
        ? Result.accepted(agent)
        : new Result.Refused<>(
            OAuthError.slowed(
                Code.TEMPORARILY_UNAVAILABLE, "The client asks more often than its passcodes.perSecond allows", Duration.ofSeconds(1)));
  }
}
