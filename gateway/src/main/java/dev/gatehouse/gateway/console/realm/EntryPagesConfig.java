package dev.gatehouse.gateway.console.realm;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for entries of the configuration, and for registered clients. */
@Configuration(proxyBeanMethods = false)
@Import({EntryPages.class, RegisteredClientPages.class})
public class EntryPagesConfig {}
