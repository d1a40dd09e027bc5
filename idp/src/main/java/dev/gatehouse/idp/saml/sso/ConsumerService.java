package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;

/**
 * An AssertionConsumerService from a partner's metadata, which receives the partner's Responses.
 *
 * @param binding POST or ARTIFACT
 */
public record ConsumerService(Binding binding, String location) {}
