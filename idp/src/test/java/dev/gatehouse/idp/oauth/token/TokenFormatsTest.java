package dev.gatehouse.idp.oauth.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import dev.gatehouse.idp.oauth.Confirmation;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Written values are read unchanged; every other input is refused. */
final class TokenFormatsTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 20261121})
  void whatWasWrittenIsRead(long seed) {
    Made made = new Made(new Random(seed));
    AuthorizationCodec codec = new AuthorizationCodec();
    for (int i = 0; i < 500; i++) {
      Authorization authorization = made.authorization();
      assertThat(codec.decode(codec.encode(authorization))).isEqualTo(authorization);
      AccessToken token = made.accessToken();
      assertThat(new AccessTokenCodec().decode(new AccessTokenCodec().encode(token))).isEqualTo(token);
      IssuedCode code = made.code();
      assertThat(new IssuedCodeCodec().decode(new IssuedCodeCodec().encode(code))).isEqualTo(code);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {4, 5})
  void brokenBytesAreRefusedOrReadAndNothingElse(long seed) {
    Random random = new Random(seed);
    Made made = new Made(random);
    AuthorizationCodec authorizations = new AuthorizationCodec();
    for (int i = 0; i < 1000; i++) {
      breakAndRead(random, made::accessToken, new AccessTokenCodec());
      breakAndRead(random, made::code, new IssuedCodeCodec());
      byte[] broken = broken(random, authorizations.encode(made.authorization()));
      try {
        authorizations.decode(broken);
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessageNotContaining("Index");
      }
    }
  }

  private static <V> void breakAndRead(Random random, Supplier<V> made, ValueCodec<V> codec) {
    try {
      codec.decode(broken(random, codec.encode(made.get())));
    } catch (IllegalArgumentException expected) {
      assertThat(expected).hasMessageNotContaining("Index");
    }
  }

  private static byte[] broken(Random random, byte[] bytes) {
    byte[] broken = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    for (int n = random.nextInt(4); n > 0 && broken.length > 0; n--) {
      broken[random.nextInt(broken.length)] = (byte) random.nextInt();
    }
    return broken;
  }

  @Test
  void anotherVersionIsRefused() {
    Made made = new Made(new Random(6));
    byte[] authorization = new AuthorizationCodec().encode(made.authorization());
    byte[] token = new AccessTokenCodec().encode(made.accessToken());
    byte[] code = new IssuedCodeCodec().encode(made.code());
    authorization[0] = token[0] = code[0] = 99;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AuthorizationCodec().decode(authorization))
        .withMessageContaining("version");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AccessTokenCodec().decode(token))
        .withMessageContaining("version");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IssuedCodeCodec().decode(code))
        .withMessageContaining("version");
    // A revocation by a later version remains a revocation.
    assertThat(new Revocations.Codec().decode(new byte[] {99})).isEqualTo(Instant.EPOCH);
  }

  /** Of a person of ordinary size; resident memory has a fifth of this for each, see decision 250. */
  @Test
  void anAuthorizationIsSmall() {
    Person alice =
        new Person(
            new PersonId("0e1ed52c-6f3a-4b1e-9f05-0d6f2f1c2b3a"), "alice", "uid=alice,ou=people,dc=example,dc=org",
            Map.of(
                "uid", List.of("alice"), "mail", List.of("alice@example.org"), "displayName", List.of("Alice Example"),
                "givenName", List.of("Alice"), "sn", List.of("Example")),
            List.of("employees"),
            Set.of("employee"));
    Instant now = Instant.parse("2026-11-21T10:00:00Z");
    Random random = new Random(7);
    RefreshTokens tokens = new RefreshTokens(SealingKey.inMemory(random), random);
    SessionId id = SessionToken.create(random).id();
    Authorization authorization =
        new Authorization(
            id, "demo", "demo-client", Optional.of(SessionToken.create(random).id()),
            new Authorization.Grant(Set.of("openid", "profile", "email"), List.of(), Optional.empty(), Optional.empty()),
            new Authorization.Authn(
                now, "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport", List.of("pwd")),
            PersonSnapshot.of(alice, now),
            new Authorization.Tokens(Optional.empty(), Optional.of(
                new Authorization.Refresh(
                    RefreshTokens.hash(tokens.create("demo", id)), Optional.empty(), Optional.empty(), Optional.empty()))),
            now, now.plusSeconds(2_592_000));
    assertThat(new AuthorizationCodec().encode(authorization)).hasSizeLessThan(450);
  }

  @Test
  void jsonIsReadAsItWasMeant() {
    Random random = new Random(8);
    for (int i = 0; i < 2000; i++) {
      String text = text(random);
      byte[] bytes =
          new JsonText()
              .text(text, text)
              .number("n", i)
              .flag("f", i % 2 == 0)
              .texts("l", List.of(text, ""))
              .oneOrMore("a", List.of(text))
              .object("o", "x5t#S256", text)
              .toBytes();
      JsonNode json = JSON.readTree(bytes);
      assertThat(json.path(text).asString()).isEqualTo(text);
      assertThat(json.path("n").asInt()).isEqualTo(i);
      assertThat(json.path("l").get(0).asString()).isEqualTo(text);
      assertThat(json.path("a").asString()).isEqualTo(text);
      assertThat(json.path("o").path("x5t#S256").asString()).isEqualTo(text);
    }
    assertThat(JSON.readTree(new JsonText().toBytes()).isEmpty()).isTrue();
  }

  /** Any characters except halves of surrogate pairs, which UTF-8 cannot encode. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder("_");
    for (int n = random.nextInt(12); n > 0; n--) {
      int c = switch (random.nextInt(4)) {
        case 0 -> random.nextInt(0x20);
        case 1 -> "\"\\/\b".charAt(random.nextInt(4));
        case 2 -> 0x1f600 + random.nextInt(50);
        default -> 0x20 + random.nextInt(0x3000);
      };
      text.appendCodePoint(c);
    }
    return text.toString();
  }

  @Test
  void rfc9068ClaimsAreWrittenAndRead() throws IOException {
    AccessToken token =
        new AccessToken(
            "dbe39bf3a3ba4238a513f51d6e1691c4", "demo", "s6BhdRkqt3", Optional.empty(), Optional.empty(), "5ba552d67",
            Set.of("openid", "profile", "reademail"), List.of("https://rs.example.com/"), Optional.empty(),
            new AccessToken.Validity(Instant.ofEpochSecond(1618354090), Instant.ofEpochSecond(1639528912)));
    String issuer = "https://authorization-server.example.com/";
    byte[] written = AccessTokenClaims.write(new JsonText(), issuer, token).toBytes();
    try (InputStream golden = TokenFormatsTest.class.getResourceAsStream("/rfc/rfc9068-3-claims.json")) {
      assertThat(JSON.readTree(written)).isEqualTo(JSON.readTree(golden));
    }
    assertThat(AccessTokenClaims.read(written, "demo", issuer)).contains(token);
    assertThat(AccessTokenClaims.read(written, "demo", "https://other.example")).isEmpty();
  }

  @Test
  void rfc7636AppendixB() {
    assertThat(CodeVerifierCheck.challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        .isEqualTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  }

  @Test
  void refreshTokensOfAnotherRealmAreNone() {
    Random random = new Random(9);
    RefreshTokens tokens = new RefreshTokens(SealingKey.inMemory(random), random);
    SessionId id = SessionToken.create(random).id();
    String token = tokens.create("demo", id);
    assertThat(tokens.read("demo", token)).map(RefreshTokens.Genuine::authorization).contains(id);
    assertThat(tokens.read("other", token)).isEmpty();
    assertThat(new RefreshTokens(SealingKey.inMemory(random), random).read("demo", token)).isEmpty();
    assertThat(tokens.open("demo", id, tokens.seal("demo", id, token))).isEqualTo(token);
  }

  /** Random values with any content that is possible. */
  private record Made(Random random) {

    Authorization authorization() {
      PersonId person = new PersonId(word());
      Instant begin = instant();
      return new Authorization(
          SessionToken.create(random).id(), "demo", word(),
          random.nextBoolean() ? Optional.of(SessionToken.create(random).id()) : Optional.empty(),
          new Authorization.Grant(words(), List.copyOf(words()), optional(), optional()),
          new Authorization.Authn(instant(), word(), List.copyOf(words())),
          PersonSnapshot.of(new Person(person, word(), word(), Map.of(word(), List.copyOf(words())), List.copyOf(words()), words()), instant()),
          new Authorization.Tokens(confirmation(), random.nextBoolean()
              ? Optional.of(
                  new Authorization.Refresh(
                      word(), optional(), random.nextBoolean() ? Optional.of(instant()) : Optional.empty(), optional()))
              : Optional.empty()),
          begin, instant());
    }

    AccessToken accessToken() {
      return new AccessToken(
          word(), "demo", word(), random.nextBoolean() ? Optional.of(SessionToken.create(random).id()) : Optional.empty(),
          random.nextBoolean() ? Optional.of(new PersonId(word())) : Optional.empty(), word(), words(), List.copyOf(words()),
          confirmation(), new AccessToken.Validity(instant(), instant()));
    }

    IssuedCode code() {
      return new IssuedCode(authorization(), optional(), optional(), optional());
    }

    private Optional<Confirmation> confirmation() {
      return switch (random.nextInt(3)) {
        case 0 -> Optional.empty();
        case 1 -> Optional.of(new Confirmation.Dpop(word()));
        default -> Optional.of(new Confirmation.Certificate(word()));
      };
    }

    private Optional<String> optional() {
      return random.nextBoolean() ? Optional.of(word()) : Optional.empty();
    }

    private Set<String> words() {
      Set<String> words = new HashSet<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        words.add(word());
      }
      return words;
    }

    private String word() {
      return switch (random.nextInt(4)) {
        case 0 -> SessionToken.create(random).value();
        case 1 -> Long.toHexString(random.nextLong());
        case 2 -> "x".repeat(random.nextInt(300)) + "ä";
        default -> "word" + random.nextInt(10);
      };
    }

    private Instant instant() {
      return Instant.ofEpochSecond(1_795_000_000L + random.nextInt(10_000_000), random.nextInt(3) * 1_000_001L);
    }
  }
}
