package dev.gatehouse.sp.provider;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The OpenID providers, and calls to them. */
@Configuration(proxyBeanMethods = false)
@Import({OpenIdProviders.class, ProviderCalls.class})
public class ProvidersConfig {}
