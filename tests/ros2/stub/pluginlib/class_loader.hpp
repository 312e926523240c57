/* SPDX-License-Identifier: MIT */
// See ../rclcpp/rclcpp.hpp: plugins are found by their description, STUB_PLUGINS/NAME.xml beside the library.
#ifndef STUB_CLASS_LOADER_HPP
#define STUB_CLASS_LOADER_HPP

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include <tinyxml2.h>

namespace pluginlib {

template <typename Base> class ClassLoader {
public:
  ClassLoader(const std::string &, const std::string &base) : base_(base) {}
  std::shared_ptr<Base> createSharedInstance(const std::string &name) {
    const std::string folder = std::getenv("STUB_PLUGINS") ? std::getenv("STUB_PLUGINS") : ".";
    const std::string package = name.substr(0, name.find('/'));
    tinyxml2::XMLDocument document;
    if (document.LoadFile((folder + "/" + package + ".xml").c_str()) != tinyxml2::XML_SUCCESS)
      throw std::runtime_error("no description of " + package);
    const auto library = document.FirstChildElement("library");
    for (auto one = library->FirstChildElement("class"); one;
         one = one->NextSiblingElement("class"))
      if (name == one->Attribute("name") && base_ == one->Attribute("base_class_type")) {
        const std::string file = folder + "/lib" + library->Attribute("path") + ".so";
        void *opened = dlopen(file.c_str(), RTLD_NOW);
        if (!opened) throw std::runtime_error(dlerror());
        return std::shared_ptr<Base>(reinterpret_cast<Base *(*)()>(dlsym(opened, "stub_make"))());
      }
    throw std::runtime_error("no class " + name + " of " + base_);
  }

private:
  std::string base_;
};

} // namespace pluginlib

#endif
