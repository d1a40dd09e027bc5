package dev.gatehouse.idp.admin;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the identity provider offers to administrators. */
@Configuration(proxyBeanMethods = false)
@Import({
  IdpSessionsResource.class,
  NamesResource.class,
  RegisteredClientsResource.class,
  SecondFactorsResource.class
})
public class AdminConfig {}
