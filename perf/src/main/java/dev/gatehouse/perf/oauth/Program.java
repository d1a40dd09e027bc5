package dev.gatehouse.perf.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A program that repeats one call of an authorization server. */
final class Program implements ClosedLoad.User {

  /** The number of tokens that are used in turn, so that a server does not always get the same one. */
  private static final int TOKENS = 20;

  private static final String CREDENTIALS = "grant_type=client_credentials";
  private static final String ACCESS_TOKEN = "\"access_token\"";

  /** Makes the next request, and reads its response. */
  private interface Call {
    String request() throws IOException;

    void check(Answer answer) throws IOException;
  }

  private final Client api;
  private final Call call;

  private Program(Client api, Call call) {
    this.api = api;
    this.call = call;
  }

  /** The requests that it repeats; empty if each is made from the response before, or anew. */
  Optional<List<String>> prepared() {
    return call instanceof Prepared repeated ? Optional.of(repeated.requests()) : Optional.empty();
  }

  @Override
  public void reconnect() throws IOException {
    api.reconnect();
  }

  @Override
  public int once() throws IOException {
    call.check(api.send(call.request()));
    return 1;
  }

  @Override
  public void close() throws IOException {
    api.close();
  }

  /**
   * Prepared requests, one after the other.
   *
   * @param expected text that each response must contain
   */
  private record Prepared(List<String> requests, int status, String expected, int[] next) implements Call {

    static Program program(Client api, List<String> requests, int status, String expected) {
      return new Program(api, new Prepared(requests, status, expected, new int[1]));
    }

    @Override
    public String request() {
      String request = requests.get(next[0]);
      next[0] = next[0] + 1 == requests.size() ? 0 : next[0] + 1;
      return request;
    }

    @Override
    public void check(Answer answer) throws IOException {
      if (answer.status() != status || !answer.body().contains(expected)) {
        throw new IOException("answered " + answer.status() + ": " + answer.body());
      }
    }
  }

  /** Client credentials (RFC 6749, section 4.4). */
  static Program clientCredentials(OAuthServer server, BenchClient client) throws IOException {
    Client api = Client.program(server.url());
    String request = api.post(server.endpoints().token(), CREDENTIALS, client.basic());
    Tokens.checkFormat(client, Tokens.member(api.send(request).body(), "access_token"));
    return Prepared.program(api, List.of(request), 200, ACCESS_TOKEN);
  }

  /** Resource owner password (RFC 6749, section 4.3), one person after the other. */
  static Program password(OAuthServer server, BenchClient client, int number) throws IOException {
    Client api = Client.program(server.url());
    List<String> requests = new ArrayList<>();
    for (int person : People.ofUser(number)) {
      requests.add(api.post(server.endpoints().token(), Tokens.passwordForm(person, "profile"), client.basic()));
    }
    Tokens.checkFormat(client, Tokens.member(api.send(requests.getFirst()).body(), "access_token"));
    return Prepared.program(api, requests, 200, ACCESS_TOKEN);
  }

  /** UserInfo requests (OpenID Connect Core, section 5.3). */
  static Program userInfo(OAuthServer server, BenchClient client, int number) throws IOException {
    String target = server.endpoints().userInfo();
    return withTokens(server, client, number, "\"sub\"", (api, token) -> api.get(target, bearer(token)));
  }

  /** Tokeninfo requests, the historical way to validate a token. */
  static Program tokenInfo(OAuthServer server, BenchClient client, int number) throws IOException {
    String target = server.endpoints().tokenInfo();
    return withTokens(server, client, number, "\"scope\"", (api, token) -> api.get(target, bearer(token)));
  }

  /** Introspection requests (RFC 7662). */
  static Program introspection(OAuthServer server, BenchClient client, int number) throws IOException {
    String target = server.endpoints().introspect();
    return withTokens(
        server, client, number, "\"active\":true", (api, token) -> api.post(target, "token=" + token, client.basic()));
  }

  @FunctionalInterface
  private interface TokenRequest {
    String request(Client api, String token);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static Program withTokens(
      OAuthServer server, BenchClient client, int number, String expected, TokenRequest tokenRequest) throws IOException {
    Client api = Client.program(server.url());
    List<String> requests = new ArrayList<>();
    for (int person : People.ofUser(number).subList(0, TOKENS)) {
      String token = Tokens.ofPerson(api, server, client, person, "openid+profile+email").access();
      Tokens.checkFormat(client, token);
      requests.add(tokenRequest.request(api, token));
    }
    return Prepared.program(api, requests, 200, expected);
  }

  /** One family of rotating refresh tokens (RFC 6749, section 6). */
  static Program refresh(OAuthServer server, BenchClient client, int number) throws IOException {
    Client api = Client.program(server.url());
    Tokens first = Tokens.ofPerson(api, server, client, People.ofUser(number).getFirst(), "profile");
    Tokens.checkFormat(client, first.access());
    return new Program(
        api,
        new Call() {
          private Tokens tokens = first;

          @Override
          public String request() {
            String form = "grant_type=refresh_token&refresh_token=" + tokens.refresh();
            return api.post(server.endpoints().token(), form, client.basic());
          }

          @Override
          public void check(Answer answer) throws IOException {
            Tokens successors = Tokens.read(answer);
            if (successors.refresh().equals(tokens.refresh())) {
              throw new IOException("the refresh token does not rotate");
            }
            tokens = successors;
          }
        });
  }

  /** Client credentials with a new ES256 DPoP proof each time (RFC 9449). */
  static Program clientCredentialsWithDpop(OAuthServer server, BenchClient client) throws IOException {
    Client api = Client.program(server.url());
    String target = server.endpoints().token();
    ECKey key;
    try {
      key = new ECKeyGenerator(Curve.P_256).generate();
    } catch (JOSEException e) {
      throw new IOException(e);
    }
    return new Program(
        api,
        new Call() {
          @Override
          public String request() throws IOException {
            return api.post(target, CREDENTIALS, client.basic(), "DPoP: " + proof(key, server.url() + target));
          }

          @Override
          public void check(Answer answer) throws IOException {
            if (answer.status() != 200 || !Tokens.member(answer.body(), "token_type").equals("DPoP")) {
              throw new IOException("no token that is bound, but " + answer.status() + ": " + answer.body());
            }
          }
        });
  }

  private static String proof(ECKey key, String url) throws IOException {
    try {
      JWSHeader header =
          new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dpop+jwt")).jwk(key.toPublicJWK()).build();
      JWTClaimsSet claims =
          new JWTClaimsSet.Builder()
              .jwtID(UUID.randomUUID().toString())
              .claim("htm", "POST")
              .claim("htu", url)
              .issueTime(Date.from(Instant.now()))
              .build();
      SignedJWT proof = new SignedJWT(header, claims);
      proof.sign(new ECDSASigner(key));
      return proof.serialize();
    } catch (JOSEException e) {
      throw new IOException(e);
    }
  }
}
