package dev.gatehouse.gateway.console.administrator;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for administrators. */
@Configuration(proxyBeanMethods = false)
@Import(AdministratorPages.class)
public class AdministratorPagesConfig {}
