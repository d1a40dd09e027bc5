package dev.gatehouse.idp;

import dev.gatehouse.common.page.PageTemplatesContract;

final class IdpPageTemplatesTest extends PageTemplatesContract {
  IdpPageTemplatesTest() {
    super("idp");
  }
}
