package dev.gatehouse.gateway.admin.web;

import java.util.List;

/**
 * Records of the OpenAPI document that an endpoint reads or writes. The document marks their components as required, except
 * for those that are Optional.
 */
public record AdminViews(List<Class<? extends Record>> types) {}
