package dev.gatehouse.idp.admin;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The identity provider's resources for administrators. */
@Configuration(proxyBeanMethods = false)
@Import({
  AttributeReleasesResource.class,
  AuthorizationsResource.class,
  IdpPersonData.class,
  IdpSessionsResource.class,
  NamesResource.class,
  PasskeysResource.class,
  PersonAccessResource.class,
  RegisteredClientsResource.class,
  SecondFactorsResource.class
})
public class AdminConfig {}
