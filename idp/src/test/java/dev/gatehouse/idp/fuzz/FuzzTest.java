package dev.gatehouse.idp.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gatehouse.common.fuzz.Fuzzing;
import dev.gatehouse.idp.TokenEndpointFuzz;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequestFuzz;
import dev.gatehouse.idp.oauth.client.BasicCredentialsFuzz;
import dev.gatehouse.idp.oauth.device.UserCodeFuzz;
import dev.gatehouse.idp.oauth.registration.ClientMetadataFuzz;
import dev.gatehouse.idp.oidc.IdTokenFuzz;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fuzzes the inputs of the OpenID provider for a moment; {@code ./gatehouse fuzz} runs longer. */
class FuzzTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        AuthorizationRequestFuzz.class,
        BasicCredentialsFuzz.class,
        ClientMetadataFuzz.class,
        IdTokenFuzz.class,
        TokenEndpointFuzz.class,
        UserCodeFuzz.class,
      })
  void fuzz(Class<?> target) throws IOException, InterruptedException {
    assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
    Fuzzing.run(target);
  }
}
