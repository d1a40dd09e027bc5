/** TLS of listeners and towards apps: certificates, their choice by name, and the contexts that use them. */
@NullMarked
package dev.gatehouse.gateway.netty.tls;

import org.jspecify.annotations.NullMarked;
