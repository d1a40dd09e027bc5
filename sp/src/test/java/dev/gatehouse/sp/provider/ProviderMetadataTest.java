package dev.gatehouse.sp.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderMetadataTest {

  private static final String GOOD = new String(ProviderMetadataFuzz.seeds().getFirst(), StandardCharsets.UTF_8);

  private static Result<ProviderMetadata, String> read(String json) {
    return ProviderMetadata.read(json.getBytes(StandardCharsets.UTF_8), "https://op.example");
  }

  @Test
  void readsWhatIsUsed() {
    assertThat(read(GOOD))
        .isInstanceOfSatisfying(
            Result.Accepted.class,
            passed -> {
              ProviderMetadata metadata = (ProviderMetadata) passed.value();
              assertThat(metadata.jwksUri()).hasToString("https://op.example/jwks");
              assertThat(metadata.requiresPushedRequests()).isTrue();
              assertThat(metadata.namesItself()).isFalse();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://op.example/jwks | http://op.example/jwks | its jwks_uri is not an https URL",
        "https://op.example/jwks | https://user@op.example/jwks | its jwks_uri is not an https URL",
        "https://op.example/jwks | javascript:alert(1) | its jwks_uri is not an https URL",
        "https://op.example/jwks | https://op example/ | its jwks_uri is not a URL",
        "\"jwks_uri\" | \"jwks\" | its metadata has no jwks_uri",
        "https://op.example/t | http://op.example/t | its token_endpoint is not an https URL",
        "https://op.example/t | http://localhost:8081/t | its token_endpoint is on this machine",
        "https://op.example/t | https://127.0.0.1/t | its token_endpoint is on this machine",
        "https://op.example/a | https://app.localhost/a | its authorization_endpoint is on this machine",
        "{\"issuer\":\"https://op.example\" | {\"issuer\":\"https://op.example/\" | its metadata names another issuer",
        "{\"issuer\" | {\"issuer\":\"https://evil.example\",\"issuer\" | its metadata is not a JSON object",
      })
  void refusesWhatOthersCouldAnswerFor(String old, String replacement, String problem) {
    assertThat(read(GOOD.replace(old, replacement))).isEqualTo(Result.refused(problem));
  }

  @Test
  void aProviderOnThisMachineHasItsEndpointsHere() {
    String here = GOOD.replace("https://op.example", "http://localhost:1");
    assertThat(ProviderMetadata.read(here.getBytes(StandardCharsets.UTF_8), "http://localhost:1"))
        .isInstanceOfSatisfying(
            Result.Accepted.class,
            passed -> assertThat(((ProviderMetadata) passed.value()).tokenEndpoint()).hasValue(URI.create("http://localhost:1/t")));
  }

  @Test
  void theDocumentIsBelowTheIssuerWithOrWithoutASlash() {
    assertThat(ProviderMetadata.wellKnown("https://op.example/t/"))
        .isEqualTo(ProviderMetadata.wellKnown("https://op.example/t"))
        .hasToString("https://op.example/t/.well-known/openid-configuration");
  }
}
