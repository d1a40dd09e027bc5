package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.Binding;
import java.util.List;
import java.util.Optional;

/**
 * A Response whose signatures were verified but whose contents were not yet checked. Only {@code sp.acs} turns it into a
 * VerifiedAssertion.
 *
 * @param response with only those assertions that a verified signature covers, read from the node that the verified
 *     Reference names
 * @param responseSigned whether the Response itself had a verified signature
 */
public record ReceivedResponse(
    SamlMessage.Response response, boolean responseSigned, Binding binding, Optional<String> relayState) {

  public List<Assertion> assertions() {
    return response.assertions();
  }
}
