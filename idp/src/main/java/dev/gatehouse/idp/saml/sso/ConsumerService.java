package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;

/** A place that takes a partner's Responses: one AssertionConsumerService of its metadata. @param binding POST or ARTIFACT */
public record ConsumerService(Binding binding, String location) {}
