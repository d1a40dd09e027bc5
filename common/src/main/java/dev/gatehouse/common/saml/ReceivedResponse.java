package dev.gatehouse.common.saml;

import java.util.List;
import java.util.Optional;

/**
 * A Response whose signatures were verified but whose contents were not yet checked. {@code sp.acs} alone turns it into
 * a VerifiedAssertion.
 *
 * @param response its assertions are only those that a verified signature covers, read from the node that the verified
 *     Reference points at
 * @param responseSigned whether the Response itself carried a verified signature
 */
public record ReceivedResponse(
    SamlMessage.Response response, boolean responseSigned, Binding binding, Optional<String> relayState) {

  public List<Assertion> assertions() {
    return response.assertions();
  }
}
