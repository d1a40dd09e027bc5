package dev.gatehouse.gateway.admin.web;

import io.swagger.v3.oas.models.Operation;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/** Describes the role that an operation requires. */
public final class RoleDescription implements OperationCustomizer {

  @Override
  public Operation customize(Operation operation, HandlerMethod method) {
    RequiresRole required = method.getMethodAnnotation(RequiresRole.class);
    if (required == null) {
      return operation;
    }
    String realm = required.checksRealms() ? "any" : RoleInterceptor.namesRealm(method) ? "named" : "all";
    operation.addExtension("x-required-role", required.value().word());
    operation.addExtension("x-required-realm", realm);
    if (required.recentLogin()) {
      operation.addExtension("x-recent-login-seconds", LoginTooOld.MAX_AGE.toSeconds());
    }
    return operation;
  }
}
