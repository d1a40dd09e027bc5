package dev.gatehouse.gateway.console.release;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the page about attribute release. */
@Configuration(proxyBeanMethods = false)
@Import(ReleasePage.class)
public class ReleasePageConfig {}
