# User Mode Linux 6.12 takes the mark that a fork leaves in an address space
# when it is cut short (by a fatal signal, by a failing allocation) for a
# mapping, and dies of it.  Tests do both on purpose.
s/^\tfor_each_vma(vmi, vma)$/&\n\t\tif (xa_is_zero(vma))\n\t\t\tbreak;\n\t\telse/
