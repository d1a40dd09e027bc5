package dev.gatehouse.perf.oauth;

import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.simulation.MeasuredSimulation;
import dev.gatehouse.perf.simulation.Navigation;
import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.time.Duration;

/** A flow of S3 at our identity provider. Programs keep their connection; each flow of a person has another person. */
public final class OAuthSimulation extends MeasuredSimulation {

  /** The measured step. */
  public static final String FLOW = "flow";

  private static final String VERIFIER = "a-verifier-of-the-bench-with-enough-characters-0";

  private final String oauth = Settings.get("oauth");
  private final BenchClient client = BenchClient.valueOf(Settings.get("client"));

  public OAuthSimulation() {
    offer(scenario(FLOW).exec(feed(people()), flow(Settings.get("flow"))));
  }

  private ChainBuilder flow(String flow) {
    return switch (flow) {
      case "CLIENT_CREDENTIALS_RS256" ->
          repeated(token("client_credentials").check(jsonPath("$.access_token").exists()));
      case "PASSWORD" -> recorder.measured(FLOW, exec(password()));
      case "USERINFO" -> exec(password()).exec(repeated(bearer("/userinfo").check(substring("\"sub\""))));
      case "TOKENINFO" -> exec(password()).exec(repeated(bearer("/tokeninfo").check(substring("\"scope\""))));
      case "REFRESH" ->
          exec(password()).exec(repeated(tokens(token("refresh_token").formParam("refresh_token", "#{refresh}"))));
      case "CODE_WITH_LOGIN" -> recorder.measured(FLOW, authorization("code").exec(redemption()));
      case "IMPLICIT_TOKEN" -> recorder.measured(FLOW, authorization("token"));
      case "IMPLICIT_ID_TOKEN" -> recorder.measured(FLOW, authorization("id_token"));
      case "IMPLICIT_BOTH" -> recorder.measured(FLOW, authorization("id_token token"));
      default -> throw new IllegalArgumentException("no flow of S3: " + flow);
    };
  }

  private ChainBuilder repeated(HttpRequestActionBuilder request) {
    return exec(during(Duration.ofSeconds(settings.seconds())).on(recorder.measured(FLOW, exec(request))));
  }

  private HttpRequestActionBuilder token(String grant) {
    return http("token")
        .post(oauth + "/token")
        .basicAuth(client.id(), BenchClient.SECRET)
        .formParam("grant_type", grant)
        .check(status().is(200));
  }

  private HttpRequestActionBuilder password() {
    return tokens(
        token("password").formParam("username", "#{name}").formParam("password", "#{password}")
            .formParam("scope", "openid profile email"));
  }

  private static HttpRequestActionBuilder tokens(HttpRequestActionBuilder request) {
    return request.check(
        jsonPath("$.access_token").saveAs("access"), jsonPath("$.refresh_token").saveAs("refresh"));
  }

  private HttpRequestActionBuilder bearer(String path) {
    return http("bearer").get(oauth + path).header("Authorization", "Bearer #{access}").check(status().is(200));
  }

  /** An authorization request with a login, up to the redirect to the client with all parameters of the response type. */
  private ChainBuilder authorization(String responseType) {
    String url = oauth + "/authorize?" + AuthorizationRequest.parameters(client, responseType, VERIFIER);
    return Navigation.open(url, (at, answer) -> AuthorizationRequest.callback(answer).isPresent())
        .exec(session -> read(session, responseType));
  }

  private static Session read(Session session, String responseType) {
    if (session.isFailed()) {
      return session;
    }
    Session read = session;
    try {
      String callback = AuthorizationRequest.callback(Navigation.answer(session)).orElseThrow();
      for (String type : responseType.split(" ")) {
        read = read.set(type, AuthorizationRequest.parameter(callback, type.equals("token") ? "access_token" : type));
      }
      return read;
    } catch (IOException e) {
      return session.markAsFailed();
    }
  }

  private ChainBuilder redemption() {
    return exec(
        tokens(
            token("authorization_code")
                .formParam("code", "#{code}")
                .formParam("redirect_uri", BenchClient.CALLBACK)
                .formParam("code_verifier", VERIFIER)));
  }
}
