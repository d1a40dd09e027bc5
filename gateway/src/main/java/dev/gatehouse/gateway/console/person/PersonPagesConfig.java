package dev.gatehouse.gateway.console.person;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for what belongs to a person. */
@Configuration(proxyBeanMethods = false)
@Import({AuthorizationPages.class, PersonAccess.class, PersonAccessPages.class})
public class PersonPagesConfig {}
