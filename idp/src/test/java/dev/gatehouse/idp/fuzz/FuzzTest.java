package dev.gatehouse.idp.fuzz;

import dev.gatehouse.common.fuzz.Fuzzing;
import dev.gatehouse.idp.TokenEndpointFuzz;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequestFuzz;
import dev.gatehouse.idp.oauth.client.BasicCredentialsFuzz;
import dev.gatehouse.idp.oauth.device.UserCodeFuzz;
import dev.gatehouse.idp.oauth.registration.ClientMetadataFuzz;
import dev.gatehouse.idp.oidc.IdTokenFuzz;
import dev.gatehouse.idp.otp.packet.RadiusPacketFuzz;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Fuzzes the inputs of the OpenID provider for a moment; {@code ./gatehouse fuzz} runs longer. */
class FuzzTest {

  private static final List<Class<?>> TARGETS =
      List.of(
          AuthorizationRequestFuzz.class,
          BasicCredentialsFuzz.class,
          ClientMetadataFuzz.class,
          IdTokenFuzz.class,
          RadiusPacketFuzz.class,
          TokenEndpointFuzz.class,
          UserCodeFuzz.class);

  @TestFactory
  Stream<DynamicTest> targets() {
    return Fuzzing.tests(TARGETS);
  }
}
