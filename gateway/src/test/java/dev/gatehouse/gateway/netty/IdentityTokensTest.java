package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.IdentityFilter;
import dev.gatehouse.gateway.filter.PerRequestIdentity;
import dev.gatehouse.gateway.filter.RequestFieldsFilter;
import dev.gatehouse.gateway.filter.StrippedNames;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an app is told of whoever holds an access token, and for how long that is kept. */
class IdentityTokensTest {

  private static final InetAddress CLIENT = InetAddress.ofLiteral("203.0.113.7");
  private static final InetAddress OTHER = InetAddress.ofLiteral("203.0.113.8");

  private final TestTime time = new TestTime();
  private final Realm realm = TestRealms.demo();
  private final IdentityTokens tokens = new IdentityTokens(any -> new TestKeyRing(), time, new Random(1));

  private TokenHolder holder(Duration life) {
    return new TokenHolder(
        "https://login.example.org", "sub-1", Optional.empty(),
        new TokenHolder.Account("alice", List.of("reader"), List.of("staff"), Map.of("mail", List.of("a@b", "c@d"))),
        Set.of(), Optional.of("strong"), Optional.empty(), time.instant().plus(life));
  }

  private IdentityFilter filter(Map<String, String> claims) {
    Jwt jwt = new Jwt("X-Who", List.of("a", "b"), claims, Duration.ofMinutes(5), Algorithm.ES256);
    return new IdentityFilter(
        "demo",
        new InjectConfig(Map.of(), Map.of(), Map.of(), Optional.empty(), Optional.of(jwt), InjectConfig.USUAL));
  }

  private static String token(HeaderEdits edits) {
    return edits.edits().stream().filter(edit -> edit.name().equals("X-Who")).findFirst().orElseThrow().value();
  }

  private static JWTClaimsSet claims(HeaderEdits edits) throws ParseException {
    return SignedJWT.parse(token(edits)).getJWTClaimsSet();
  }

  @Test
  void aTokenHolderIsToldOfAsAPersonIs() throws ParseException {
    IdentityFilter filter =
        filter(Map.of("roles", "roles", "mail", "mail", "acr", "session.authnContext", "from", "session.provider", "at", "session.loginTime"));
    PerRequestIdentity late = filter.edits(holder(Duration.ofHours(1))).orElseThrow().late().orElseThrow();
    assertThat(tokens.peek(late, CLIENT)).isEmpty();
    JWTClaimsSet claims = claims(tokens.make(realm, late, CLIENT));
    assertThat(claims.getSubject()).isEqualTo("alice");
    assertThat(claims.getAudience()).containsExactly("a", "b");
    assertThat(claims.getStringListClaim("roles")).containsExactly("reader");
    assertThat(claims.getStringListClaim("mail")).containsExactly("a@b", "c@d");
    assertThat(claims.getStringClaim("acr")).isEqualTo("strong");
    assertThat(claims.getStringClaim("from")).isEqualTo("https://login.example.org");
    assertThat(claims.getClaim("at")).isNull();
    assertThat(claims.getExpirationTime().toInstant()).isEqualTo(time.instant().plusSeconds(300));
  }

  @Test
  void aTokenIsUsedForAMinuteForThatHolderAlone() {
    IdentityFilter filter = filter(Map.of());
    TokenHolder alice = holder(Duration.ofHours(1));
    PerRequestIdentity late = filter.edits(alice).orElseThrow().late().orElseThrow();
    String first = token(tokens.make(realm, late, CLIENT));
    assertThat(tokens.peek(filter.edits(alice).orElseThrow().late().orElseThrow(), OTHER).map(IdentityTokensTest::token)).contains(first);
    PerRequestIdentity again = filter.edits(holder(Duration.ofHours(1))).orElseThrow().late().orElseThrow();
    assertThat(tokens.peek(again, CLIENT)).as("another object, though equal").isEmpty();
    assertThat(tokens.peek(filter(Map.of()).edits(alice).orElseThrow().late().orElseThrow(), CLIENT)).as("another rule").isEmpty();
    time.advance(Duration.ofSeconds(59));
    assertThat(tokens.peek(late, CLIENT)).isPresent();
    time.advance(Duration.ofSeconds(1));
    assertThat(tokens.peek(late, CLIENT)).isEmpty();
    assertThat(token(tokens.make(realm, late, CLIENT))).isNotEqualTo(first);
  }

  @Test
  void aTokenWithTheClientsAddressIsForThatAddress() throws ParseException {
    PerRequestIdentity late =
        filter(Map.of("ip", "request.client")).edits(holder(Duration.ofHours(1))).orElseThrow().late().orElseThrow();
    assertThat(claims(tokens.make(realm, late, CLIENT)).getStringClaim("ip")).isEqualTo("203.0.113.7");
    assertThat(tokens.peek(late, OTHER)).isEmpty();
    assertThat(claims(tokens.make(realm, late, OTHER)).getStringClaim("ip")).isEqualTo("203.0.113.8");
  }

  @Test
  void aTokenEndsWithWhatItComesOf() throws ParseException {
    PerRequestIdentity late = filter(Map.of()).edits(holder(Duration.ofSeconds(40))).orElseThrow().late().orElseThrow();
    assertThat(claims(tokens.make(realm, late, CLIENT)).getExpirationTime().toInstant())
        .isEqualTo(time.instant().plusSeconds(40));
  }

  @Test
  void theAccessTokenThatWasForUsIsNotSentOnWithTheOneForTheApp() {
    PerRequestIdentity late =
        filter(Map.of()).edits(holder(Duration.ofHours(1))).orElseThrow().withoutToken().late().orElseThrow();
    HeaderEdits edits = tokens.make(realm, late, CLIENT);
    byte[] head =
        "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nDPoP: secret\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    RequestHead parsed = (RequestHead) new RequestParser(HeadLimits.standard()).parse(head);
    HeadBuffer out = new HeadBuffer();
    new RequestFieldsFilter(new StrippedNames(List.of("X-Who"))).write(parsed.fields(), new byte[0], edits, false, out);
    assertThat(out.text()).isEqualTo("X-Who: " + token(edits) + "\r\n");
  }
}
