package dev.gatehouse.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceProviderEndpointsTest {

  /** While memory is low, these get no newcomers. */
  @ParameterizedTest
  @CsvSource({
    "/.gatehouse/login, true",
    "/.gatehouse/saml/acs, true",
    "/.gatehouse/oidc/callback, true",
    "/.gatehouse/oidc/callback/customers, true",
    "/.gatehouse/oidc/callbacks, false",
    "/.gatehouse/oidc/backchannel, false",
    "/.gatehouse/logout, false",
    "/, false"
  })
  void loginsMayOpenASession(String path, boolean opens) {
    assertThat(ServiceProviderEndpoints.opensSession(path)).isEqualTo(opens);
  }
}
